// The environment of a page, and the hosts of services in it (002 §7, §9).

export type Environment = "dev" | "uat" | "production";

/** The environment of a page's host. */
export function environmentOf(hostname: string): Environment {
  if (hostname === "localhost" || hostname.includes("dev-")) return "dev";
  return hostname.includes("uat-") ? "uat" : "production";
}

/** A service's host in an environment: with a prefix outside production. */
export function serviceHost(host: string, environment: Environment): string {
  return environment === "production" ? host : `${environment}-${host}`;
}
