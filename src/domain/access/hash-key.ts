/**
 * The key of the masks that hash, as the two padded keys of HMAC-SHA256 in hexadecimal: 64 bytes each. The hash of a value
 * is `sha256(outer || sha256(inner || value))`.
 */
export interface HashKey {
  readonly inner: string
  readonly outer: string
}
