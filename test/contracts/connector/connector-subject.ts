import type { Connector } from '../../../src/domain/database.ts'
import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import type { Cell, ResultColumn, ResultTable, RunLimits, ValueKind } from '../../../src/domain/result.ts'

/** What a connector's own test says of its dialect, and how it looks at its server from outside. */
export interface ConnectorSubject {
  readonly name: string
  /** Makes the harbor database (see `harbor.ts`) and opens a connector on it. */
  readonly open: () => Promise<Connector>
  readonly cleanUp: () => Promise<void>
  /** How many statements of this connector its database is working on. */
  readonly runningStatements: () => Promise<number>
  /** How many connections or processes it holds. */
  readonly heldResources: () => Promise<number>
  /** One row with a value of every type that the database can give. */
  readonly typed: {
    readonly sql: string
    readonly columns: readonly ResultColumn[]
    readonly row: readonly Cell[]
  }
  /** Whether the user of `open` can write; null if there are no users. */
  readonly roleCanWrite: boolean | null
  /** Runs for minutes, and takes no lock. */
  readonly runaway: string
  /** Numbers from 1 to `count`, one a row. */
  readonly numbers: (count: number) => string
  /** `count` rows of one text of `length` characters. */
  readonly texts: (length: number, count: number) => string
  /** Statements that must not do anything, each for a table that is there. */
  readonly writes: readonly string[]
  readonly errors: readonly (readonly [SqlErrorClass, string])[]
  /** What its engine declares of a table; everything if left out. */
  readonly declares?: {
    /** Primary and foreign keys. */
    readonly keys: boolean
    /** Which columns may be NULL. */
    readonly nullability: boolean
    /** The type of a text without a limit. */
    readonly textType: string
    /** Kinds of the harbor's columns that its types cannot have. */
    readonly kinds?: Readonly<Record<string, ValueKind>>
    /** What it calls a.id, b.id, a.name and b.name in one result; null if it refuses two columns of one name. */
    readonly joinedNames?: readonly string[] | null
    /** True if names that were written without quotes are stored, and come back, in upper case. */
    readonly upperCaseNames?: boolean
  }
}

/** A subject with its connector open, as the parts of the contract test it. */
export interface OpenedConnector {
  readonly subject: ConnectorSubject
  /** Only within a test: it is opened before the first. */
  readonly connector: () => Connector
  /** Runs a statement past the guard, within wide limits where none are given. */
  readonly run: (
    sql: string,
    options?: Partial<RunLimits> & { readonly signal?: AbortSignal },
  ) => Promise<ResultTable>
  /** Waits until its database works on nothing. */
  readonly nothingRuns: () => Promise<void>
}

/** A name of the harbor as the subject's database stores it. */
export const storedName = ({ declares }: Pick<ConnectorSubject, 'declares'>, name: string): string =>
  declares?.upperCaseNames ? name.toUpperCase() : name
