/**
 * What came of trying the walls of a database that stand without the guard: each was really tried, none is read off a
 * setting. `roleCanWrite` tells of the user whom the connector logs in as: whether it has rights to change anything
 * at all, which our read-only transactions then have to hold back. Null where a database knows no users.
 */
export interface SafeguardResults {
  /** A write on the connector's own read-only path was refused by the database. */
  readonly refusesWrites: boolean
  /** A statement without end was stopped by its time limit, and the database was no longer at work on it. */
  readonly stopsAtTimeout: boolean
  /** A statement without end was seen at work, cancelled by signal, and then was gone from the database. */
  readonly cancelFreesServer: boolean
  readonly roleCanWrite: boolean | null
}
