import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PackedVectors } from './packed-vectors.ts'

/** Where vectors lie: beside the index, named by what they were made from, so that nothing else is read for them. */
export const vectorsPath = (folder: string, madeFrom: readonly string[]): string =>
  join(folder, `${createHash('sha256').update(JSON.stringify(madeFrom)).digest('hex').slice(0, 32)}.vectors`)

/** Reads kept vectors of so many rows. Null when there are none, or none that fit: then they are made again. */
export const readVectors = async (path: string, count: number): Promise<PackedVectors | null> => {
  try {
    const bytes = await readFile(path)
    const width = bytes.readUInt32LE(0)
    const rows = new Int8Array(bytes.subarray(4))
    return width > 0 && rows.length >= width * count && rows.length % width === 0 ? { width, rows } : null
  } catch {
    return null
  }
}

/** Keeps vectors for their owner's eyes only. The file appears under its name at once and whole. */
export const writeVectors = async (path: string, { width, rows }: PackedVectors): Promise<void> => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(width)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(
      draft,
      Buffer.concat([head, Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)]),
      { mode: 0o600 },
    )
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
