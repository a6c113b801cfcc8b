import { basename, extname } from 'node:path'
import type { DatabaseReference } from '../../databases/database-reference.ts'

/** What names of databases may be in querent.yml. */
export const namePattern = /^[a-z][a-z0-9_-]*$/i

/** A name for a database in querent.yml, after what it is called where it is. */
export const suggestName = (reference: DatabaseReference): string => {
  const name = nameInReference(reference)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
  return name === '' ? 'main' : name
}

/** The variable that holds its address. `QUERENT_...` are Querent's own. */
export const suggestVariable = (name: string): string => {
  const variable = `${name.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`
  return variable.startsWith('QUERENT_') ? `ASKED_${variable}` : variable
}

const nameInReference = (reference: DatabaseReference): string => {
  switch (reference.kind) {
    case 'sqlite':
      return basename(reference.file, extname(reference.file))
    case 'duckdb':
      return basename(reference.path, extname(reference.path))
    case 'postgres':
    case 'mysql':
      return decodeURIComponent(new URL(reference.url).pathname.slice(1))
    default: {
      const never: never = reference
      return never
    }
  }
}
