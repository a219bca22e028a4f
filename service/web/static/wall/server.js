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

async function request(path, options) {
  let response;
  let data;
  try {
    response = await fetch(path, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    data = await response.json();
  } catch (error) {
    throw new Away(String(error));
  }
  if (!response.ok) throw new Refused(response.status, data);
  return data;
}

export function get(path) {
  return request(path, { method: "GET" });
}

export function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
