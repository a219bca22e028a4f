// Requests to the server, and the ways in which they fail.

const PATIENCE_MS = 20000;

/** Of requests that a page makes by itself: they keep no session of somebody who has left it open. */
export const UNATTENDED = { "X-Otbor-Unattended": "1" };

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
    document.dispatchEvent(new Event("otbor:away"));
    throw new Away(String(error));
  }
  if (!response.ok) throw new Refused(response.status, data);
  return data;
}

export function get(path, patience = PATIENCE_MS) {
  return request(path, patience);
}

/** Get what nobody has asked for: the page keeps itself up to date. */
export function follow(path, patience = PATIENCE_MS) {
  return request(path, patience, { headers: UNATTENDED });
}

export function post(path, body, { patience = PATIENCE_MS, headers = {} } = {}) {
  return request(path, patience, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
