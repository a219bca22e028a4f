// Requests to the server. Reading a page again may take a while on a busy machine.

import { Away, Refused } from "../wall/server.js";

const PATIENCE_MS = 120000;

async function request(path, options = {}) {
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

export const get = (path) => request(path);

export const post = (path, body = {}) =>
  request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
