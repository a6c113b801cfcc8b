import { stat } from 'node:fs/promises'
import type { DataSource } from './data-source.ts'

/** Changes whenever a file of data is added, taken away or written. */
export const sourceVersion = async (source: DataSource): Promise<string> => {
  const paths = source.kind === 'database' ? [source.path] : source.files.map(({ path }) => path)
  const stamps = await Promise.all(
    paths.map(async path => {
      const { size, mtimeNs, ino } = await stat(path, { bigint: true })
      return `${path} ${size} ${mtimeNs} ${ino}`
    }),
  )
  return stamps.join('\n')
}
