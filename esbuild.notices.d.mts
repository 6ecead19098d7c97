/** What of a bundle's description is read. */
interface Bundle {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

export function noticesOf(bundles: readonly Bundle[], root?: string): Promise<string>;
