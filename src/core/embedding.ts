/**
 * Turns texts into vectors of one length, in their order; what is near in sense is near in direction. Throws
 * `model-failed` when the endpoint cannot be asked or answers otherwise, `cancelled` when the signal fired.
 */
export type EmbedTexts = (
  texts: readonly string[],
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly Float32Array[]>

/** A model that embeds. Vectors of one name may be compared with each other, and with no others. */
export interface Embedder {
  readonly model: string
  readonly embed: EmbedTexts
}
