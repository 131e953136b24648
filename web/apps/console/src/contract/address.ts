// Names of the contract in addresses.

/** `payment_methods` in an address is `payment-methods`. */
export function fieldSegment(name: string): string {
  return name.replaceAll("_", "-");
}

/** The inverse: `payment-methods` is `payment_methods`. */
export function fromSegment(segment: string): string {
  return segment.replaceAll("-", "_");
}
