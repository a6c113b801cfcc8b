/** Vectors in a byte a number, each scaled by its largest: a cosine from them is off by less than a hundredth. */
export interface PackedVectors {
  readonly width: number
  /** Row by row. Rows that nobody embedded are nought. */
  readonly rows: Int8Array
}

const most = 127

/** Packs vectors of one length; `count` rows, those beyond the vectors left at nought. */
export const packVectors = (vectors: readonly Float32Array[], count: number): PackedVectors => {
  const width = vectors[0]?.length ?? 0
  const rows = new Int8Array(width * count)
  for (const [row, vector] of vectors.entries()) {
    const size = lengthOf(vector)
    const largest = vector.reduce((top, one) => Math.max(top, Math.abs(one)), 0)
    if (size === 0) continue
    for (let i = 0; i < width; i++) rows[row * width + i] = Math.round((vector[i]! / largest) * most)
  }
  return { width, rows }
}

/** The cosine of a vector with each row; nought for rows of nought. */
export const dotProducts = (vector: Float32Array, { width, rows }: PackedVectors): Float64Array => {
  const size = lengthOf(vector)
  return Float64Array.from({ length: width === 0 ? 0 : rows.length / width }, (_, row) => {
    let sum = 0
    let square = 0
    for (let i = row * width, k = 0; k < width; i++, k++) {
      const one = rows[i]!
      sum += one * vector[k]!
      square += one * one
    }
    return square === 0 || size === 0 ? 0 : sum / (Math.sqrt(square) * size)
  })
}

const lengthOf = (vector: Float32Array): number => {
  let square = 0
  for (const one of vector) square += one * one
  return Math.sqrt(square)
}
