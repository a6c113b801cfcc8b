import { distance } from 'fastest-levenshtein'
import { type Catalog, type DescriptionSource, type ForeignKey, nameTables } from '../../domain/catalog.ts'
import type { Database } from '../../domain/database.ts'
import {
  type Description,
  type GlossaryTerm,
  type Knowledge,
  type KnowledgeLocation,
  type KnowledgeProblem,
  noKnowledge,
  type ProposedRule,
} from '../../domain/knowledge.ts'
import type { FindValues, ValueMatch } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/stem-word.ts'

/**
 * A database with added knowledge: terms for prompts, and values and columns for the semantic parser. What names a
 * table or column that does not exist or cannot be read is left out, and reported as a problem.
 */
export const addKnowledge = (
  database: Database,
  added: Knowledge,
): { readonly database: Database; readonly problems: readonly KnowledgeProblem[] } => {
  const own = database.knowledge ?? noKnowledge
  const { knowledge: more, problems } = checkKnowledge(added, database.catalog)
  return {
    problems,
    database: {
      ...database,
      catalog: applyKnowledge(database.catalog, more),
      findValues: withGlossaryTerms(database.findValues, more.terms),
      knowledge: {
        terms: [...own.terms, ...more.terms],
        rules: [...own.rules, ...more.rules],
        descriptions: [...own.descriptions, ...more.descriptions],
        joins: [...own.joins, ...more.joins],
      },
    },
  }
}

/**
 * A database with the accepted rules in its knowledge: terms for prompts, and values and columns for the semantic
 * parser. What names a table or column that no longer exists or cannot be read is left out.
 */
export const addAcceptedRules = (database: Database, rules: readonly ProposedRule[]): Database => {
  if (rules.length === 0) return database
  return addKnowledge(database, rulesToKnowledge(rules)).database
}

const rulesToKnowledge = (rules: readonly ProposedRule[]): Knowledge => ({
  terms: rules.flatMap(rule => {
    const { phrase, meaning, sql, columns } = rule
    return phrase === null
      ? []
      : [{ name: phrase, synonyms: [], meaning, sql, columns, at: ruleOrigin(rule) }]
  }),
  rules: rules.flatMap(rule =>
    rule.phrase === null
      ? [{ text: `Asked “${rule.question}”, people meant: ${rule.meaning}`, at: ruleOrigin(rule) }]
      : [],
  ),
  // A phrase without a condition is another name of the column.
  descriptions: rules.flatMap(rule => {
    const { phrase, sql, columns } = rule
    const [only, second] = columns
    if (phrase === null || sql !== null || only === undefined || second !== undefined) return []
    const dot = only.lastIndexOf('.')
    return [
      {
        table: only.slice(0, dot),
        column: only.slice(dot + 1),
        text: '',
        synonyms: [phrase],
        source: 'knowledge' as const,
        at: ruleOrigin(rule),
      },
    ]
  }),
  joins: [],
})

const ruleOrigin = ({ id }: ProposedRule) => ({ file: `accepted rule ${id.slice(0, 8)}`, line: 1 })

/**
 * The catalog with the team's words: their descriptions in place of the database's comments, generated ones if
 * there are no others, other names before both, and the joins that they prefer.
 */
export const applyKnowledge = (catalog: Catalog, { descriptions, joins }: Knowledge): Catalog => {
  if (descriptions.length === 0 && joins.length === 0) return catalog
  const names = nameTables(catalog)
  const byPlace = new Map<string, Description[]>()
  for (const description of descriptions) {
    const key = columnKey(description.table, description.column)
    byPlace.set(key, [...(byPlace.get(key) ?? []), description])
  }
  const tables = catalog.tables.map(table => {
    const name = names.get(table) ?? table.name
    return {
      ...describe(table, byPlace.get(columnKey(name, null)) ?? []),
      columns: table.columns.map(column => describe(column, byPlace.get(columnKey(name, column.name)) ?? [])),
    }
  })
  return { ...catalog, tables, foreignKeys: withJoins(catalog.foreignKeys, joins) }
}

const columnKey = (table: string, column: string | null): string => JSON.stringify([table, column])

interface Described {
  readonly comment: string | null
  readonly commentSource?: DescriptionSource
  readonly synonyms?: readonly string[]
}

const describe = <Thing extends Described>(thing: Thing, descriptions: readonly Description[]): Thing => {
  if (descriptions.length === 0) return thing
  const words = (source: Description['source']): string | undefined =>
    descriptions
      .filter(one => one.source === source)
      .map(({ text }) => text)
      .filter(text => text !== '')
      .join(' ') || undefined
  const own = words('knowledge')
  const comment = own ?? thing.comment ?? words('generated') ?? null
  const source = own !== undefined ? 'knowledge' : thing.comment !== null ? 'database' : 'generated'
  const synonyms = [...new Set(descriptions.flatMap(one => one.synonyms))]
  return {
    ...thing,
    comment: withSynonyms(comment, synonyms),
    commentSource: comment === null ? 'knowledge' : source,
    ...(synonyms.length > 0 && { synonyms }),
  }
}

/** Other names come first: the beginning of a comment counts as much as a name. */
const withSynonyms = (comment: string | null, synonyms: readonly string[]): string | null => {
  if (synonyms.length === 0) return comment
  return comment === null ? synonyms.join(', ') : `${synonyms.join(', ')}: ${comment}`
}

/** A preferred join replaces every other key between the same columns, and an inferred key of its own columns. */
const withJoins = (keys: readonly ForeignKey[], joins: Knowledge['joins']): readonly ForeignKey[] => {
  const added = joins.map(({ from, to }): ForeignKey => ({ from, to, source: 'knowledge', inclusion: null }))
  const sides = ({ from, to }: Pick<ForeignKey, 'from' | 'to'>): string =>
    [JSON.stringify(from), JSON.stringify(to)].sort().join()
  const taken = new Set(added.map(sides))
  const referring = new Set(added.map(({ from }) => JSON.stringify(from)))
  const kept = keys.filter(
    key => !taken.has(sides(key)) && !(key.source === 'derived' && referring.has(JSON.stringify(key.from))),
  )
  return [...kept, ...added]
}

/** What a term says about one column: its value. */
interface TermFilter {
  readonly term: string
  readonly table: string
  readonly column: string
  readonly value: string
}

/**
 * Finds terms of the glossary as well as values of the database: if a term is a condition such as
 * `customers.segment = 'club'`, it finds that value. Terms of other forms are only for prompts.
 */
export const withGlossaryTerms = (findValues: FindValues, terms: readonly GlossaryTerm[]): FindValues => {
  const filters = new Map<string, TermFilter[]>()
  for (const term of terms) {
    const filter = termFilter(term)
    if (filter === null) continue
    for (const name of [term.name, ...term.synonyms]) {
      const key = keyOf(name)
      filters.set(key, [...(filters.get(key) ?? []), filter])
    }
  }
  if (filters.size === 0) return findValues
  return (keyword, options) => {
    const meant = (filters.get(keyOf(keyword)) ?? []).filter(
      ({ table, column }) =>
        options?.columns?.some(one => one.table === table && one.column === column) ?? true,
    )
    const found = findValues(keyword, options)
    if (meant.length === 0) return found
    const matches = meant.map((filter): ValueMatch => ({ keyword, score: 1, ...filter }))
    const others = found.filter(
      one =>
        !meant.some(
          ({ table, column, value }) => one.table === table && one.column === column && one.value === value,
        ),
    )
    return [...matches, ...others].slice(0, options?.limit ?? 10)
  }
}

const keyOf = (text: string): string =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(toSingular).join(' ')

/** The condition of a term, if it is one column and one constant. */
const termFilter = ({ name, sql }: Pick<GlossaryTerm, 'name' | 'sql'>): TermFilter | null => {
  const condition = /^([\w.]+)\.(\w+)\s*=\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?|true|false))$/i
  const [, table, column, text, bare] = condition.exec((sql ?? '').trim()) ?? []
  if (table === undefined || column === undefined) return null
  return { term: name, table, column, value: text?.replaceAll("''", "'") ?? bare ?? '' }
}

/** The part of a team's knowledge that fits a database, and the problems with the rest. */
interface CheckedKnowledge {
  readonly knowledge: Knowledge
  readonly problems: readonly KnowledgeProblem[]
}

/**
 * Checks knowledge against a catalog: every table and column that it names must exist. Anything else is left out
 * and reported with the nearest name. In `sql`, every `table.column` outside quotes counts as a name.
 */
export const checkKnowledge = (knowledge: Knowledge, catalog: Catalog): CheckedKnowledge => {
  const names = nameTables(catalog)
  const tables = new Map(
    catalog.tables.map(table => [
      names.get(table) ?? table.name,
      new Set(table.columns.map(column => column.name)),
    ]),
  )
  const problems: KnowledgeProblem[] = []

  const hasTable = (table: string, at: KnowledgeLocation): boolean => {
    if (tables.has(table)) return true
    problems.push({ at, message: `there is no table ${table}${nearest(table, [...tables.keys()])}` })
    return false
  }
  const hasColumn = (table: string, column: string, at: KnowledgeLocation): boolean => {
    if (!hasTable(table, at)) return false
    const columns = tables.get(table) ?? new Set()
    if (columns.has(column)) return true
    problems.push({
      at,
      message: `the table ${table} has no column ${column}${nearest(column, [...columns])}`,
    })
    return false
  }
  const hasAll = (references: readonly string[], at: KnowledgeLocation): boolean =>
    references
      .map(reference => {
        const [, table = '', column = ''] = /^(.*)\.([^.]+)$/.exec(reference) ?? []
        if (table !== '') return hasColumn(table, column, at)
        problems.push({ at, message: `write a column as table.column; ${reference} is not` })
        return false
      })
      .every(Boolean)

  const checked: Knowledge = {
    terms: knowledge.terms.filter(term =>
      hasAll([...columnsInSql(term.sql ?? ''), ...term.columns], term.at),
    ),
    rules: knowledge.rules,
    descriptions: knowledge.descriptions.filter(({ table, column, at }) =>
      column === null ? hasTable(table, at) : hasColumn(table, column, at),
    ),
    joins: knowledge.joins.filter(({ from, to, at }) =>
      [from, to]
        .flatMap(side => side.columns.map(column => hasColumn(side.table, column, at)))
        .every(Boolean),
    ),
  }
  return { knowledge: checked, problems }
}

/** Every `table.column` of an expression, outside of quoted texts; functions with a schema do not count. */
export const columnsInSql = (sql: string): readonly string[] => [
  ...new Set(
    [...sql.replace(/'(?:[^']|'')*'/g, "''").matchAll(/[a-z_]\w*(?:\.[a-z_]\w*)+(?!\w|\s*\()/gi)].map(
      ([reference]) => reference,
    ),
  ),
]

const nearest = (name: string, known: readonly string[]): string => {
  const [best] = known
    .map(one => ({ one, edits: distance(one.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(2, name.length / 3) ? `; did you mean ${best.one}?` : ''
}
