// Requests of the desk: reading a page again may take a while on a busy machine.

import * as server from "../server.js";

const PATIENCE_MS = 120000;

export const get = (path) => server.get(path, PATIENCE_MS);
export const post = (path, body = {}) => server.post(path, body, { patience: PATIENCE_MS });
export const follow = (path) => server.follow(path, PATIENCE_MS);
