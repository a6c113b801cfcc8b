/** A database, and the glossary of a channel that is read beside what the whole team knows of it; null without one. */
export interface DatabaseRef {
  readonly database: string
  readonly glossary: string | null
}

/** Names of databases in querent.yml have no such sign, and neither has a folder of a glossary. */
const GLOSSARY_SEPARATOR = '/'
const DATABASE_REF = /^([a-z][a-z0-9_-]*)\/([a-z0-9][a-z0-9_-]*)$/i

/** The name under which questions are asked of it: `shop`, or `shop/finance` with a glossary. */
export const formatDatabaseRef = ({ database, glossary }: DatabaseRef): string =>
  glossary === null ? database : `${database}${GLOSSARY_SEPARATOR}${glossary}`

/** Reads such a name. A reference such as `sqlite:PATH` is a database without a glossary. */
export const parseDatabaseRef = (name: string): DatabaseRef => {
  const [, database, glossary] = DATABASE_REF.exec(name) ?? []
  return database === undefined || glossary === undefined
    ? { database: name, glossary: null }
    : { database, glossary }
}
