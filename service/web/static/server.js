// Requests to the server, and the ways in which they fail.

const PATIENCE_MS = 20000;

/** The server said no; the sentences are for the user. */
export class Refused extends Error {
  constructor(status, { error = "", message = "", hint = "" }) {
    super(message);
    this.status = status;
    this.code = error;
    this.hint = hint;
  }
}

/** The server could not be asked at all. */
export class Away extends Error {}

async function request(path, patience, options = {}) {
  let response;
  let data;
  try {
    response = await fetch(path, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      signal: AbortSignal.timeout(patience),
    });
    data = await response.json();
  } catch (error) {
    throw new Away(String(error));
  }
  if (!response.ok) throw new Refused(response.status, data);
  return data;
}

export function get(path, patience = PATIENCE_MS) {
  return request(path, patience);
}

export function post(path, body, patience = PATIENCE_MS) {
  return request(path, patience, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
