import {
  expressionKey,
  type OutlineExpression,
  type QueryOutline,
  queryKey,
  type SelectOutline,
} from '../sql/outline/query-outline.ts'
import { describeExpression, describeTable, type PhraseOptions, setWords } from './describe-expression.ts'

/** What about an answer a part of its query decides; in the order in which people would tell answers apart by it. */
export const slots = [
  'set',
  'output',
  'condition',
  'having',
  'group',
  'ranking',
  'distinct',
  'partner',
  'table',
  'link',
] as const

export type Slot = (typeof slots)[number]

/** One part of a query. Parts of equal keys in one slot say the same. */
export interface QueryPart {
  readonly slot: Slot
  readonly key: string
  readonly say: (saying: PhraseOptions) => string
  /** How an answer is told that has no such part, while others do. */
  readonly sayWithout: (saying: PhraseOptions) => string
  /** The condition itself, where it is one. */
  readonly condition?: OutlineExpression
}

/** The parts by which a query may differ from another for the same question. */
export const queryParts = (query: QueryOutline): readonly QueryPart[] =>
  query.kind === 'select'
    ? selectParts(query)
    : [
        ...queryParts(query.left),
        {
          slot: 'set',
          key: `${query.operator} ${queryKey(query.right)}`,
          say: saying => `${setWords[query.operator]} ${describeRight(query.right, saying)}`,
          sayWithout: saying => `without “${setWords[query.operator]} ${describeRight(query.right, saying)}”`,
        },
        ...rankingParts(query),
      ]

const describeRight = (query: QueryOutline, saying: PhraseOptions): string => {
  const conditions = query.kind === 'select' ? [...query.conditions, ...query.having] : []
  return conditions.length > 0
    ? conditions.map(condition => describeExpression(condition, saying)).join(' and ')
    : describeExpression({ kind: 'query', query }, saying)
}

const selectParts = (query: SelectOutline): readonly QueryPart[] => [
  {
    slot: 'output',
    key: query.outputs.map(expressionKey).sort().join(),
    say: saying => `show ${query.outputs.map(output => describeExpression(output, saying)).join(' and ')}`,
    sayWithout: () => '',
  },
  ...query.conditions.map(condition => conditionPart('condition', condition)),
  ...query.having.map(condition => conditionPart('having', condition)),
  ...(query.groupBy.length === 0
    ? []
    : [
        {
          slot: 'group' as const,
          key: query.groupBy.map(expressionKey).sort().join(),
          say: (saying: PhraseOptions) =>
            `for each ${query.groupBy.map(term => describeExpression(term, saying)).join(' and ')}`,
          sayWithout: () => 'all taken together',
        },
      ]),
  ...rankingParts(query),
  ...(query.distinct
    ? [
        {
          slot: 'distinct' as const,
          key: 'distinct',
          say: () => 'each only once',
          sayWithout: () => 'repeated ones too',
        },
      ]
    : []),
  ...query.sources.flatMap(({ table, query: inner, join }): readonly QueryPart[] => {
    if (table === null) return inner === null ? [] : queryParts(inner)
    const name = describeTable(table)
    const source: QueryPart = {
      slot: 'table',
      key: table,
      say: () => `using the ${name}`,
      sayWithout: () => `without the ${name}`,
    }
    const partner: QueryPart = {
      slot: 'partner',
      key: table,
      say: () => `also those without a ${name}`,
      sayWithout: () => `only those with a ${name}`,
    }
    return join === 'outer' ? [source, partner] : [source]
  }),
  ...query.links.map(
    (link): QueryPart => ({
      slot: 'link',
      key: linkKey(link),
      say: saying => `matched where ${describeExpression(link, { ...saying, tables: true })}`,
      sayWithout: () => '',
    }),
  ),
]

const conditionPart = (slot: 'condition' | 'having', condition: OutlineExpression): QueryPart => ({
  slot,
  key: expressionKey(condition),
  say: saying => describeExpression(condition, saying),
  sayWithout: saying => {
    if (condition.kind !== 'comparison') return ''
    const isQuery = condition.left.kind === 'query' || condition.right[0]?.kind === 'query'
    const said = describeExpression(isQuery ? condition : condition.left, saying)
    return isQuery ? `not only ${said}` : `any ${said}`
  },
  condition,
})

const rankingParts = ({ orderBy, limit }: Pick<SelectOutline, 'orderBy' | 'limit'>): readonly QueryPart[] => {
  // The order of rows that are all shown is a matter of taste, not of which answer is right.
  if (limit === null) return []
  const key = [
    ...orderBy.map(order => `${expressionKey(order.expression)} ${order.descending}`),
    limit,
  ].join()
  const [first] = orderBy
  return [
    {
      slot: 'ranking',
      key,
      say: saying => {
        const count = limit === '1' ? 'only one' : `only ${limit}`
        if (first === undefined) return count
        return `${count}, by ${first.descending ? 'highest' : 'lowest'} ${describeExpression(first.expression, saying)}`
      },
      sayWithout: () => 'all of them',
    },
  ]
}

/** The sides of a link may change places. */
const linkKey = (link: OutlineExpression): string =>
  link.kind === 'comparison'
    ? [link.left, ...link.right].map(expressionKey).sort().join(' = ')
    : expressionKey(link)
