import type { Connector } from '../../domain/database.ts'
import type {
  DatabaseDialect,
  GrammarRules,
  GuardRules,
  LexicalRules,
  MeasuringRules,
  NameRules,
  RenderingRules,
  RightsRules,
  ScopeRules,
  ServerAddress,
  SizeRules,
  TypingRules,
} from '../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  countDistinct,
  foldAscii,
  isNotDistinct,
  lastFourOf,
  quoteName,
  standardSizes,
  standardTokens,
} from './standard-sql.ts'

/** Rules of which only some must be given: `Needed`. */
type Rules<All, Needed extends keyof All> = Pick<All, Needed> & Partial<All>

/**
 * How a warehouse differs from others. What must be given differs in most, or decides what the guard allows and has no
 * safe default; `warehouseDialect` shows what holds for the rest.
 */
interface Warehouse
  extends Pick<DatabaseDialect, 'name' | 'label' | 'promptNotes' | 'plan' | 'repair'>,
    Partial<Pick<DatabaseDialect, 'readOnlyRole'>> {
  readonly lexical?: Partial<LexicalRules>
  readonly grammar?: Partial<GrammarRules>
  readonly guard: Rules<Omit<GuardRules, 'sizes'>, 'functions' | 'systemTables' | 'tokenRefusal'> & {
    readonly sizes?: Partial<SizeRules>
  }
  readonly address: Rules<ServerAddress, 'defaultPort' | 'needsDatabase'>
  /** Imports the connector, which imports the driver: only once a database is opened. */
  readonly loadConnector: () => Promise<MakeConnector>
  readonly rights: Pick<RightsRules, 'fence' | 'bucket'> & {
    /** A value as a text. */
    readonly asText?: (value: string) => string
    /** The SHA-256 of a text, in hexadecimal. */
    readonly sha256: (text: string) => string
    /** Asterisks and the last four characters of a longer text. */
    readonly maskedEnd: (text: string) => string
  }
  readonly names: Rules<NameRules, 'bare' | 'same'>
  readonly rendering: Rules<
    RenderingRules,
    'quoteText' | 'nullsLastWhen' | 'moment' | 'truncate' | 'datePart' | 'shift' | 'elapsed' | 'percentile'
  >
  readonly typing?: Partial<TypingRules>
  readonly scope: Rules<ScopeRules, 'hasWholeRows' | 'hasGroupByAll' | 'hasColumnPatterns' | 'mayCallOwn'>
  readonly measuring: Rules<MeasuringRules, 'asText' | 'textLength' | 'matchesShape'>
}

type MakeConnector = (options: {
  readonly url: string
  /** The address without a password. */
  readonly place: string
  readonly timeZone?: string
  readonly connections?: number
}) => Promise<Connector>

/** The dialect of a data warehouse: what warehouses have in common, and over it what is given. */
export const warehouseDialect = ({ loadConnector, ...own }: Warehouse): DatabaseDialect => {
  const { numeric, text } = own.repair.castTo
  const { fence, bucket, sha256, maskedEnd, asText = value => `CAST(${value} AS ${text})` } = own.rights
  return {
    // Users and their rights are mostly set in the account, project, cluster or metastore, not by statements.
    readOnlyRole: null,
    hasSessions: false,
    ...own,
    parser: 'polyglot',
    polyglotName: own.name,
    lexical: { ...standardTokens, ...own.lexical },
    grammar: {
      callsWithoutBrackets,
      doubleQuotes: 'name',
      foldsCase: { tables: true, columns: true },
      hasGlob: false,
      hasDoubleSlash: false,
      ...own.grammar,
    },
    guard: {
      isPlainSchema: () => false,
      readsFilesAsTables: false,
      limitClause: 'LIMIT',
      subqueryKeepsOrder: false,
      ...own.guard,
      sizes: { ...standardSizes, ...own.guard.sizes },
    },
    address: { kind: 'server', scheme: own.name, aliases: [], socketParameter: 'socket', ...own.address },
    openConnector: async ({ location, name }, { timeZone, concurrency }) => {
      const makeConnector = await loadConnector()
      return makeConnector({
        url: location,
        place: name,
        ...(timeZone !== undefined && { timeZone }),
        ...(concurrency !== undefined && { connections: concurrency }),
      })
    },
    rights: {
      fence,
      bucket,
      // As HMAC does it, but over texts: not all of them join bytes.
      hash: (value, { inner, outer }) => {
        const hashed = (key: string, text: string): string => sha256(`CONCAT('${key}', ${text})`)
        return `SUBSTRING(${hashed(outer, hashed(inner, asText(value)))}, 1, 16)`
      },
      lastFour: value => {
        const shown = asText(value)
        return lastFourOf(shown, { length: own.measuring.textLength(shown), end: maskedEnd(shown) })
      },
    },
    names: { quote: quoteName, fold: foldAscii, defaultSchema: '', hasCatalogs: true, ...own.names },
    rendering: {
      booleans: { true: 'TRUE', false: 'FALSE' },
      starMustBeFirst: false,
      hasNullsLast: true,
      // Works everywhere; ILIKE of Redshift ignores the case of ASCII letters only.
      ignoresCase: 'lower',
      // Some divide whole numbers without a fraction.
      ratio: (numerator, denominator) => `CAST(${numerator} AS ${numeric}) / NULLIF(${denominator}, 0)`,
      average: argument => `AVG(CAST(${argument} AS ${numeric}))`,
      nullSafeEquals: isNotDistinct,
      ...own.rendering,
    },
    // Keys are declared at most and not enforced: values tell whether they keep rows apart.
    typing: { columns: 'declared', sumsNumericText: false, declaresKeys: false, ...own.typing },
    scope: {
      hasStructFields: true,
      inReadsTables: false,
      withIsRecursive: false,
      recursionIsSure: false,
      withSeesOuter: true,
      specialJoins: new Set(),
      functionColumns: () => null,
      searchWord: null,
      readsByPart: () => false,
      types: null,
      isImplied: () => false,
      ...own.scope,
    },
    measuring: {
      countDistinct,
      // The first rows cost less: a sample reads all rows (Spark, views of Snowflake) or whole splits (Trino), or needs
      // a key that most tables lack (ClickHouse).
      tableSample: null,
      sampledRows: 30_000,
      findsValuesBy: 'join',
      concurrency: 3,
      ...own.measuring,
    },
  }
}
