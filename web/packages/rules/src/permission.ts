// Whether a permission is listed for an application in the signed-in user's authorization payload (002 §6).

/** The permissions by application. */
export type Permissions = Readonly<Record<string, readonly string[]>>;

/** The application of a host: its name without the last two labels. `console.pavise.example` is `console`. */
export function applicationOf(hostname: string): string {
  return hostname.split(".").slice(0, -2).join(".");
}

/** Whether the permission is listed for the application; false when nothing is listed for it. */
export function hasPermission(
  permissions: Permissions | undefined,
  permission: string,
  application: string = applicationOf(globalThis.location.hostname),
): boolean {
  if (permissions === undefined || !Object.hasOwn(permissions, application)) return false;
  return permissions[application]?.includes(permission) ?? false;
}
