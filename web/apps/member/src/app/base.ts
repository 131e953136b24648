/** Where the server serves the app. */
export const BASE = "/app";
