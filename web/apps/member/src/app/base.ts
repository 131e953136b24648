/** The path at which the server serves the app. */
export const BASE = "/app";
