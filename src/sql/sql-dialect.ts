import type { HashKey } from '../domain/access/data-rights.ts'
import type { Column } from '../domain/catalog.ts'
import type { Connector } from '../domain/database.ts'
import type { DurationUnit } from '../domain/metrics/semantic-layer.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ParseDialect } from '../domain/sql.ts'
import type { SqlCall } from './analyze/function-calls.ts'
import type { SqlToken } from './parse/sql-tokens.ts'
import type { PortableOperation } from './rewrite/portable-operation.ts'
import type { DatePart, DateUnit, MomentType } from './tree/query-tree.ts'

/** What the parsers and the guard need to know about a dialect. */
export interface SqlDialect {
  readonly name: ParseDialect
  /** `libpg-query` is Postgres's own parser: its trees are exact, and names in them are already folded. */
  readonly parser: 'libpg-query' | 'polyglot'
  /** What polyglot calls the dialect. */
  readonly polyglotName: string
  readonly lexical: LexicalRules
  readonly grammar: GrammarRules
  readonly guard: GuardRules
}

/** A dialect with a connector: everything that Querent needs to ask such a database, in one object. */
export interface DatabaseDialect extends SqlDialect {
  /** What people call this kind of database. */
  readonly label: string
  /** How to write SQL for it, as a list of facts for a model. */
  readonly promptNotes: string
  readonly address: AddressRules
  /** Opens a connector. It loads the driver, so nothing else in the dialect may import it. */
  readonly openConnector: (at: DatabaseLocation, options: ConnectorOptions) => Promise<Connector>
  /** SQL for an administrator that creates a user who can only read; null if the database has no users. */
  readonly readOnlyRole: ((role: RoleRequest) => readonly string[]) | null
  /** Whether a statement can run as a role and with session variables, which policies of the database read. */
  readonly hasSessions: boolean
  readonly names: NameRules
  readonly rendering: RenderingRules
  readonly typing: TypingRules
  readonly rights: RightsRules
  readonly scope: ScopeRules
  readonly plan: PlanRules
  readonly measuring: MeasuringRules
  readonly repair: RepairRules
}

/** How a dialect cuts text into tokens, as far as quotes, comments and placeholders go. */
export interface LexicalRules {
  /** Pairs of an opening and a closing character around a quoted name. */
  readonly nameQuotes: Readonly<Record<string, string>>
  /** Characters around a string; the first is always the apostrophe. */
  readonly stringQuotes: readonly string[]
  /** True if a backslash inside a plain string escapes the character after it. */
  readonly backslashEscapes: boolean
  /** A setting of the server can make it a plain character (NO_BACKSLASH_ESCAPES of MySQL). */
  readonly backslashMayBePlain: boolean
  /** Letters that can stand right before an apostrophe and belong to the string. */
  readonly stringPrefixes: readonly string[]
  /** `$$text$$` and `$tag$text$tag$`. */
  readonly dollarQuotes: boolean
  readonly nestedComments: boolean
  readonly hashComments: boolean
  /** `--` opens a comment only before white space (MySQL): `1--1` is two. */
  readonly dashesNeedSpace: boolean
  /** The server runs the text of some comments (MySQL's version comments). */
  readonly executableComments: boolean
  /** Signs that open a placeholder or variable when a name or number follows. */
  readonly parameterSigns: string
}

/** What the grammar of a dialect has that others lack, or reads in another way. */
export interface GrammarRules {
  /** Functions that are called without brackets, such as `current_date`; in lower case. */
  readonly callsWithoutBrackets: ReadonlySet<string>
  /** What `"x"` is. `either`: a name if a column has it, else a text (SQLite). */
  readonly doubleQuotes: 'name' | 'text' | 'either'
  /** Whether names that differ only by case mean the same. */
  readonly foldsCase: { readonly tables: boolean; readonly columns: boolean }
  readonly hasGlob: boolean
  /** `a // b` divides without a fraction, and is `divide(a, b)`. */
  readonly hasDoubleSlash: boolean
}

/** What the guard allows and refuses in a dialect. */
export interface GuardRules {
  /** The functions that may be called, in lower case. */
  readonly functions: ReadonlySet<string>
  /** True for a schema in front of a function that makes no difference to which function it is. */
  readonly isPlainSchema: (schema: string) => boolean
  /** How much its functions can make out of little. */
  readonly sizes: SizeRules
  /** Catalogs of the server, by folded name of the schema or of the table. */
  readonly systemTables: { readonly schemas: RegExp; readonly names: RegExp }
  /** True if a table name that looks like a path reads that file. */
  readonly readsFilesAsTables: boolean
  /** Which clause limits rows. */
  readonly limitClause: 'LIMIT' | 'TOP'
  /** True if `SELECT * FROM (query)` keeps the order and the column names of the query, whatever they are. */
  readonly subqueryKeepsOrder: boolean
  /** Why the token at an index must not stand there, in words; null if it may. */
  readonly tokenRefusal: (tokens: readonly SqlToken[], at: number) => string | null
}

/** How much the functions of a dialect can make out of little. */
export interface SizeRules {
  /** What `format` takes: a pattern with `%`, one with `{}`, or none. */
  readonly format: 'percent' | 'braces' | 'none'
  /** True if `regexp_replace` replaces every match without being told to. */
  readonly replacesEveryMatch: boolean
  /** Aggregates whose result grows with the rows, in lower case and without `_`. */
  readonly collecting: ReadonlySet<string>
  /** Aggregates that give as many values as an argument says, by the place of that argument. Without it they give one. */
  readonly collectingSome: Readonly<Record<string, number>>
  /** Most characters of `group_concat`, where a setting of the session cuts it. */
  readonly longestGroupConcat: number
  /** Most characters of a value that is not put together from rows. */
  readonly longestValue: number
  /** Types that fill a value up to the length in their brackets. */
  readonly paddedTypes: RegExp
  /** Most digits of a power. */
  readonly longestPower: number
  /** True if a query in WITH may name itself without RECURSIVE. */
  readonly withIsRecursive: boolean
}

/** How names are written and compared. */
export interface NameRules {
  /** Names that mean the same with and without quotes, unless they are reserved words. */
  readonly bare: RegExp
  readonly quote: (name: string) => string
  /** One form for all names that may be the same to some server of this kind; different names can share it. */
  readonly fold: (name: string) => string
  /** Whether two names mean the same, by the server's own rules. Names with different folds never do. */
  readonly same: (a: string, b: string, what: NamedThing) => SameName
  /** The schema of a table that is named without one; empty if there are no schemas. */
  readonly defaultSchema: string
  /** True if a schema can have its catalog in front, with a point between: `events.public`. */
  readonly hasCatalogs: boolean
}

/** What a name can be of. Servers compare the names of tables (and aliases), of queries in WITH and of columns differently. */
export type NamedThing = 'table' | 'query' | 'column'

/** `maybe`: it depends on a collation, a setting or a version. Then whatever either meaning hides stays hidden. */
export type SameName = 'yes' | 'maybe' | 'no'

/** How the rows and values that a person may see are written. `value` is SQL; NULL stays NULL. */
export interface RightsRules {
  /** Behind a query, it keeps conditions of the statement around it from being computed before those inside. */
  readonly fence: string
  /** A text that is equal for equal values: the start of their HMAC, of which the hexadecimal keys are put into quotes. */
  readonly hash: (value: string, key: HashKey) => string
  /** The last four characters, behind asterisks. A text keeps its collation. */
  readonly lastFour: (value: string, isText: boolean) => string
  /** A number, rounded down to a multiple of the width. `type` is the declared type, which it keeps if it can. */
  readonly bucket: (value: string, width: number, type: string) => string
}

/** How our own queries are written. Texts and names that are given are not quoted yet. */
export interface RenderingRules {
  readonly quoteText: (text: string) => string
  readonly booleans: { readonly true: string; readonly false: string }
  /** True if `*` cannot follow another column (MySQL); then each table gets its own. */
  readonly starMustBeFirst: boolean
  /** In which direction NULLs come last without saying so. */
  readonly nullsLastWhen: 'asc' | 'desc'
  readonly hasNullsLast: boolean
  /** What compares with a pattern whatever the case: ILIKE, LIKE by itself, or LIKE between `lower` of both sides. */
  readonly ignoresCase: 'ilike' | 'like' | 'lower'
  /** Midnight of an ISO day, to compare with a column that is not text. */
  readonly moment: (day: string, type: Exclude<MomentType, 'text'>, timeZone: string) => string
  /** The first day of the unit that `argument` (rendered SQL) lies in. Weeks start on Monday. */
  readonly truncate: (unit: DateUnit, argument: string, type: MomentType, timeZone: string) => string
  /** A part of a moment as a number: weekdays from 1 (Monday), hours from 0, months from 1. */
  readonly datePart: (part: DatePart, argument: string, type: MomentType, timeZone: string) => string
  /** A day so many units later. */
  readonly shift: (day: string, count: number, unit: DateUnit) => string
  /** Time between two moments as a number of units with a fraction. */
  readonly elapsed: (unit: DurationUnit, from: string, until: string, type: MomentType) => string
  /** A division with a fraction, NULL if the denominator is 0. */
  readonly ratio: (numerator: string, denominator: string) => string
  /** An aggregate: the value that `fraction` of the others lie below, interpolated; null if the dialect has none. */
  readonly percentile: ((fraction: number, argument: string) => string) | null
  /** An aggregate: the mean with all of its digits. */
  readonly average: (argument: string) => string
  /** Equal, or both NULL. */
  readonly nullSafeEquals: (left: string, right: string) => string
}

/** How much the declared types of columns say. */
export interface TypingRules {
  /** `per-value`: a column holds what was put into it, whatever it was declared as (SQLite). */
  readonly columns: 'declared' | 'per-value'
  /** True if texts that are all digits can be summed. */
  readonly sumsNumericText: boolean
  /** False if tables have no primary keys, or some that do not keep rows apart: then values tell. */
  readonly declaresKeys: boolean
}

/** What a list of allowed tables and columns must look out for, since names can be used in unusual ways. */
export interface ScopeRules {
  /** `a.b.c` may be a field of a struct in a column. */
  readonly hasStructFields: boolean
  /** The name of a table can stand for a whole row of it. */
  readonly hasWholeRows: boolean
  /** `GROUP BY ALL` and `ORDER BY ALL`. */
  readonly hasGroupByAll: boolean
  /** `a IN t` reads the table t. */
  readonly inReadsTables: boolean
  /** Columns can be named by their place (`#1`) or by a pattern (`COLUMNS('e.*')`). */
  readonly hasColumnPatterns: boolean
  /** Every WITH can refer to itself, with or without RECURSIVE. */
  readonly withIsRecursive: boolean
  /** Inside a recursive WITH the names of its queries mean these queries and never a table, wherever they stand. */
  readonly recursionIsSure: boolean
  /**
   * The queries of a WITH inside a query know those of the WITH around it. Elsewhere (MariaDB 10.11) such a name means
   * the table, in `WITH t AS (...) SELECT * FROM (WITH u AS (SELECT * FROM t) SELECT * FROM u) x`.
   */
  readonly withSeesOuter: boolean
  /** The kinds of joins beside the usual ones; elsewhere such a word is a name: `people SEMI JOIN orders`. */
  readonly specialJoins: ReadonlySet<string>
  /** Names of the columns of a function in FROM; null if only the server knows them. */
  readonly functionColumns: (name: string) => readonly string[] | null
  /** The word that searches a full-text table, by whatever columns the text names; null without such tables. */
  readonly searchWord: string | null
  /** True if a call may mean a function that somebody made in the database under that name. */
  readonly mayCallOwn: (call: Pick<SqlCall, 'schema' | 'name'>) => boolean
  /** True if a table is read by its partitions or indexes from here on: what is in them tells of hidden columns. */
  readonly readsByPart: (tokens: readonly SqlToken[], at: number) => boolean
  /** Types that a cast may name besides those of open columns; null where types cannot be tables. */
  readonly types: ReadonlySet<string> | null
  /** How statements can ask an enumeration for its labels; left out where none can. */
  readonly labels?: LabelRules
  /** True if syntax calls a function of this name without naming it, and one made in the database would replace it. */
  readonly isImplied: (name: string) => boolean
}

/** How the labels of enumerations can be read. */
export interface LabelRules {
  /** True if a type can be made from the values of a table, whichever column has it then. */
  readonly madeFromData: boolean
  /** Functions that tell labels, or that read a type from a text; in lower case. */
  readonly calls: ReadonlySet<string>
}

/** How EXPLAIN's output is read. */
export interface PlanRules {
  /** Where a plan reads rows. `rowsOf` gives the size of a table by the name that the plan uses. */
  readonly read: (plan: string, rowsOf: TableRowCount) => readonly PlannedRead[]
  /** What a plan says of bytes; left out where plans know rows alone. */
  readonly readBytes?: (plan: string) => PlannedBytes | null
  /** True if the plan shows that a LIMIT ends the reading early. */
  readonly showsLimit: boolean
}

/** Bytes that a statement would read, and what they cost; null if nobody has said what a byte costs. */
export interface PlannedBytes {
  readonly bytes: number
  readonly dollars: number | null
}

/** One place of a plan where rows are read: the table as the plan names it, and how many rows in all. */
export interface PlannedRead {
  readonly table: string | null
  /** Null if the plan does not say. */
  readonly rows: number | null
}

/** The number of rows of a table, by the name or alias that a plan uses; null if it is not known. */
export type TableRowCount = (table: string) => number | null

/** The SQL that measures columns and samples tables. Names that are given are quoted already. */
export interface MeasuringRules {
  /** A column's value as a text that can be compared and put into a UNION with others. */
  readonly asText: (column: Column, name: string) => string
  /** The length of a text in characters. */
  readonly textLength: (text: string) => string
  /** An aggregate: the number of different values. */
  readonly countDistinct: (value: string) => string
  /** Whether a text has a shape; `pattern` is a regular expression for it. */
  readonly matchesShape: (text: string, shape: TextShape, pattern: string) => string
  /** What follows a table's name to read about this percentage of it, the same rows each time; null if there is no such clause. */
  readonly tableSample: ((percent: string) => string) | null
  /** How many rows of a large table are measured: fewer where each statement takes its own sample of a warehouse. */
  readonly sampledRows: number
  /**
   * How values of one column are found in another: by an outer join; by one that is slow without an index (MariaDB); or by
   * IN (ClickHouse, whose version 18.16 crashes over outer joins that give NULL).
   */
  readonly findsValuesBy: 'join' | 'join-with-index' | 'in'
  /** How many measuring statements run at once. */
  readonly concurrency: number
}

/** What all the texts of a column can turn out to be. */
export type TextShape = 'date' | 'timestamp' | 'time' | 'number'

/** What statements written for another database need changed to run here. */
export interface RepairRules {
  /** Functions whose calls are left alone, because they exist here with the meaning that they have elsewhere. */
  readonly ownFunctions: ReadonlySet<string>
  /** Writes what a function of another dialect does; null if there is no way to. */
  readonly writeOperation: (operation: PortableOperation) => string | null
  /** `LIMIT 10, 5`. */
  readonly hasLimitWithComma: boolean
  /** `FETCH FIRST 5 ROWS ONLY`. */
  readonly hasFetchFirst: boolean
  /** A JOIN without ON is an error rather than a CROSS JOIN. */
  readonly joinsNeedCondition: boolean
  /** `a == b`. */
  readonly hasDoubleEquals: boolean
  /** `a::date`. */
  readonly hasCastOperator: boolean
  /** Types in CAST that go by another name here, by the usual name in lower case. */
  readonly castTypes: Readonly<Record<string, string>>
  /** The types that numbers and texts are cast to. */
  readonly castTo: { readonly numeric: string; readonly text: string }
  /** `SELECT a AS 'total'`. */
  readonly aliasesCanBeTexts: boolean
  /** The clauses that can use names given in the SELECT list. */
  readonly aliasesKnownIn: { readonly where: boolean; readonly having: boolean }
  /** A subquery in FROM can do without a name. */
  readonly subqueriesNeedNames: boolean
}

/** Where a database is: an absolute path or a URL. `name` is how it is shown, without a password. */
export interface DatabaseLocation {
  readonly location: string
  readonly name: string
}

/** How a connector is opened. */
export interface ConnectorOptions {
  /** IANA name in which the database shows and cuts times, if it has a say in that. */
  readonly timeZone?: string
  /** How many statements may run in the database at once. */
  readonly concurrency?: number
  readonly log?: Log
}

/** A user to create who can read these schemas of a database and nothing else. */
export interface RoleRequest {
  readonly role: string
  readonly password: string
  readonly database: string
  readonly schemas: readonly string[]
}

/** The addresses that name a database of this kind. */
export type AddressRules = FileAddress | ServerAddress

/** `SCHEME:PATH`. */
export interface FileAddress {
  readonly kind: 'file'
  readonly scheme: string
  /** What is said if the path is missing. */
  readonly needsPath: string
  /** True if a path without a scheme means this kind, unless another kind claims the file. */
  readonly isDefault: boolean
  /** What is read at a path: a folder, files with these endings, and files that begin with this text. */
  readonly claims: {
    readonly folders: boolean
    readonly endings: readonly string[]
    readonly signature: string | null
  }
}

/** `SCHEME://USER:PASSWORD@HOST:PORT/DATABASE`. */
export interface ServerAddress {
  readonly kind: 'server'
  readonly scheme: string
  /** Other schemes that mean the same. */
  readonly aliases: readonly string[]
  readonly defaultPort: number
  /** The parameter of the URL that names a Unix socket. */
  readonly socketParameter: string
  /** True if the address must name a database. */
  readonly needsDatabase: boolean
  /** How an address is written, if not with user, host, port and database. */
  readonly form?: string
}
