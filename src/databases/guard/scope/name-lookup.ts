import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { NamedThing, NameRules, SameName } from '../../../sql/sql-dialect.ts'
import type { Access, KnownColumn } from './scoped-tables.ts'
import {
  hidesColumns,
  isRestricted,
  type NameMeaning,
  type ScopeLayer,
  type Source,
  systemColumns,
} from './visible-sources.ts'

/**
 * What names mean in one dialect. A name that only may be another (an accent, a letter's case, by a collation or a
 * setting of the server) counts as both: it gets the most secret meaning, and hides nothing that stands further out.
 */
export interface NameLookup {
  readonly same: (a: string, b: string, what: NamedThing) => SameName
  /** What of `items` a name may mean; if there is one that it means for certain, only that. */
  readonly named: <T>(
    items: readonly T[],
    nameOf: (item: T) => string,
    name: string,
    what: NamedThing,
  ) => {
    readonly isSure: boolean
    readonly items: readonly T[]
  }
  readonly bare: (name: string, layers: readonly ScopeLayer[]) => NameMeaning
  /** What `qualifier.name` means. `hasSchema`: a schema stands before it, which passes over what is no table. */
  readonly qualified: (
    qualifier: string,
    name: string,
    layers: readonly ScopeLayer[],
    hasSchema: boolean,
  ) => NameMeaning
  /** The sources that `qualifier.*` can mean. */
  readonly sourcesNamed: (qualifier: string, layers: readonly ScopeLayer[]) => readonly Source[]
  /** The columns of a source that a name can mean. */
  readonly columnsNamed: (source: Source, name: string) => readonly KnownColumn[]
}

/** One form for all names that the server may take for the same; different names can share it. */
export const foldName = (name: string, dialect: Dialect): string => databaseDialect(dialect).names.fold(name)

/** How two names compare, as the server does it. */
export const sameName = (dialect: Dialect): NameRules['same'] => databaseDialect(dialect).names.same

/** Makes the look-up of a dialect. */
export const makeNameLookup = (dialect: Dialect): NameLookup => {
  const same = sameName(dialect)

  const columnsNamed: NameLookup['columnsNamed'] = ({ columns }, name) =>
    columns.filter(column => same(column.name, name, 'column') !== 'no')

  // Only of a table of the database is it certain what its columns are called: queries in FROM give names to their
  // columns by rules that no parser knows (`+a`, `(s).a`, `* EXCLUDE (a)`).
  const hasForSure = ({ columns, isTable }: Source, name: string): boolean =>
    isTable && columns.some(column => same(column.name, name, 'column') === 'yes')

  const isKnownAs = ({ known }: Source, name: string): SameName =>
    known === null ? 'no' : same(known, name, 'table')

  const mayBe = (source: Source, name: string): boolean => isKnownAs(source, name) !== 'no'

  const secretAmong = (sources: readonly Source[], name: string): NameMeaning | null => {
    for (const access of ['hidden', 'masked'] as const satisfies readonly Access[]) {
      const source = sources.find(one => columnsNamed(one, name).some(column => column.access === access))
      if (source !== undefined) return { kind: 'column', access, source }
    }
    return null
  }

  const open = (source: Source | null): NameMeaning => ({ kind: 'column', access: 'open', source })

  const sourcesNamed: NameLookup['sourcesNamed'] = (qualifier, layers) =>
    layers.flatMap(({ sources }) => sources.filter(source => mayBe(source, qualifier)))

  /** A name that was found nowhere may be a column that only the server knows, or one that the lists hide. */
  const orUnknown = (found: NameMeaning, isGuess: boolean, seen: readonly Source[]): NameMeaning =>
    isGuess && seen.some(hidesColumns) ? { kind: 'unknown' } : found

  return {
    same,
    columnsNamed,

    named: (items, nameOf, name, what) => {
      const sure = items.filter(item => same(nameOf(item), name, what) === 'yes')
      return sure.length > 0
        ? { isSure: true, items: sure }
        : { isSure: false, items: items.filter(item => same(nameOf(item), name, what) === 'maybe') }
    },

    // From the innermost SELECT outwards. In doubt it is the most secret thing that it can be: where two sources have
    // the name, where a server might look further out, where an alias might be meant instead.
    bare: (name, layers) => {
      let found: NameMeaning = { kind: 'unknown' }
      let isGuess = false
      for (const { sources, isSure, aliases } of layers) {
        const secret = secretAmong(sources, name)
        if (secret !== null) return secret
        const own = sources.find(source => columnsNamed(source, name).length > 0)
        const ends = isSure && sources.some(source => hasForSure(source, name))
        if (ends) return found.kind === 'unknown' ? open(own ?? null) : found
        const rows = sources.filter(source => mayBe(source, name))
        const row = rows.find(isRestricted) ?? rows[0]
        if (row !== undefined && isRestricted(row)) return { kind: 'row', source: row }
        if (found.kind !== 'unknown') continue
        const isAlias = [...aliases].some(alias => same(alias, name, 'column') !== 'no')
        if (own !== undefined) found = open(own)
        else if (row !== undefined && !isAlias) found = { kind: 'row', source: row }
        else if (
          (isAlias || sources.some(source => source.isOpen)) &&
          !systemColumns.has(name.toLowerCase())
        ) {
          found = open(null)
          isGuess = !isAlias
        }
      }
      return orUnknown(
        found,
        isGuess,
        layers.flatMap(({ sources }) => sources),
      )
    },

    // A source ends the search only if it is called so for certain and has the column for certain: elsewhere servers
    // look further out, when the columns of the nearer one are not what they seem.
    qualified: (qualifier, name, layers, hasSchema) => {
      let found: NameMeaning = { kind: 'unknown' }
      let isGuess = false
      for (const { sources, isSure } of layers) {
        const meant = sources.filter(source => mayBe(source, qualifier))
        const secret = secretAmong(meant, name)
        if (secret !== null) return secret
        if (found.kind === 'unknown') {
          const own = meant.find(source => columnsNamed(source, name).length > 0)
          // Of a source with hidden columns, what is no column of it may be a function of its row.
          const other = systemColumns.has(name.toLowerCase())
            ? undefined
            : meant.find(source => source.isOpen && !isRestricted(source))
          if (own !== undefined) found = open(own)
          else if (other !== undefined) {
            found = open(null)
            isGuess = true
          }
        }
        const ends = meant.some(source => isKnownAs(source, qualifier) === 'yes' && hasForSure(source, name))
        if (isSure && ends && !hasSchema) return found
      }
      return orUnknown(found, isGuess, sourcesNamed(qualifier, layers))
    },

    sourcesNamed,
  }
}
