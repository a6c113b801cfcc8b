import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Catalog } from '../../core/catalog.ts'

/** What a stored index was made from. It may be used again as long as this has not changed. */
export interface IndexStamp {
  /** Changes with tables, columns, types, keys and comments. */
  readonly schema: string
  /** Size and time of the file, and of its write-ahead log; null for a server. */
  readonly file: string | null
}

/** The schema's part of the stamp. The catalog's own fingerprint leaves comments out, but prompts show them. */
export const stampSchema = (catalog: Catalog): string => {
  const comments = catalog.tables.map(table => [table.comment, table.columns.map(column => column.comment)])
  return createHash('sha256')
    .update(JSON.stringify([catalog.fingerprint, comments]))
    .digest('hex')
}

/** The file's part of the stamp. Writes may go to the log beside the file, and leave the file itself alone. */
export const stampFile = async (file: string): Promise<string> => {
  const parts = await Promise.all(
    [file, `${file}-wal`].map(async path => {
      try {
        const { size, mtimeNs } = await stat(path, { bigint: true })
        return size === 0n && path !== file ? 'none' : `${size}@${mtimeNs}`
      } catch {
        return 'none'
      }
    }),
  )
  return parts.join(' ')
}
