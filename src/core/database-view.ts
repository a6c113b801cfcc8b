/** A database, and the glossary of a channel that is read beside what the whole team knows of it; null without one. */
export interface DatabaseView {
  readonly database: string
  readonly glossary: string | null
}

/** Names of databases in querent.yml have no such sign, and neither has a folder of a glossary. */
const SIGN = '/'
const VIEW = /^([a-z][a-z0-9_-]*)\/([a-z0-9][a-z0-9_-]*)$/i

/** The name under which questions are asked of it: `shop`, or `shop/finance` with a glossary. */
export const writeDatabaseView = ({ database, glossary }: DatabaseView): string =>
  glossary === null ? database : `${database}${SIGN}${glossary}`

/** Reads such a name. A reference such as `sqlite:PATH` is a database without a glossary. */
export const readDatabaseView = (name: string): DatabaseView => {
  const [, database, glossary] = VIEW.exec(name) ?? []
  return database === undefined || glossary === undefined
    ? { database: name, glossary: null }
    : { database, glossary }
}
