import type { MeantPhrase, PhraseMeaning } from '../../domain/metrics/meant-phrase.ts'
import type { SqlLiteral, SqlReferences } from '../../sql/analyze/sql-scopes.ts'
import type { CandidateFacts, CandidateMeasure } from './candidate-measures.ts'

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** A column without a table may be any of that name. */
const isColumnOf = (
  { table, column }: { readonly table: string | null; readonly column: string },
  meaning: PhraseMeaning,
): boolean =>
  (table === null || same(table, meaning.table)) &&
  (column === '*' || meaning.columns.some(one => same(one, column)))

const valuesOf = ({ meanings }: MeantPhrase): readonly PhraseMeaning[] =>
  meanings.filter(({ value }) => value !== null)

/** The literals that are one of the values that a phrase may mean. */
const spelled = (values: readonly PhraseMeaning[], literals: readonly SqlLiteral[]): readonly SqlLiteral[] =>
  literals.filter(literal => values.some(({ value }) => value !== null && same(value, literal.value)))

const isElsewhere = (phrase: MeantPhrase, { literals }: CandidateFacts): boolean => {
  const values = valuesOf(phrase)
  const found = spelled(values, literals)
  return (
    found.length > 0 &&
    found.every(({ column }) => column !== null && !values.some(value => isColumnOf(column, value)))
  )
}

const isMissing = (phrase: MeantPhrase, { literals }: CandidateFacts): boolean =>
  phrase.meanings[0]?.value != null && spelled(valuesOf(phrase), literals).length === 0

/** Words fit a term of the team this well at least. */
const SURELY_MEANT = 0.9

const reads = ({ tables, columns }: SqlReferences, meaning: PhraseMeaning): boolean =>
  tables.some(({ name }) => same(name, meaning.table)) &&
  meaning.columns.every(wanted =>
    columns.some(column => isColumnOf(column, { ...meaning, columns: [wanted] })),
  )

const isUnread = ({ quality, meanings }: MeantPhrase, references: SqlReferences): boolean =>
  quality >= SURELY_MEANT &&
  meanings.some(({ isAccepted }) => isAccepted) &&
  !meanings.some(meaning => reads(references, meaning))

/** What the semantic layer, the glossary in it, says that words of the question mean, beside what a statement does. */
export const layerMeasures: readonly CandidateMeasure[] = [
  {
    name: 'layer-value-elsewhere',
    reason: 'it compares a value of the question with a column that does not hold it',
    measure: facts => facts.meant.filter(phrase => isElsewhere(phrase, facts)).length,
  },
  {
    name: 'layer-value-missing',
    reason: 'it does not compare with a value that the question means',
    measure: facts => facts.meant.filter(phrase => isMissing(phrase, facts)).length,
  },
  {
    name: 'layer-term-unread',
    reason: 'it does not read what a metric or segment of the question is made of',
    measure: ({ meant, references }) =>
      references === null ? 0 : meant.filter(phrase => isUnread(phrase, references)).length,
  },
]
