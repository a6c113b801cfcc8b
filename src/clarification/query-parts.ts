import {
  conjunctsOf,
  expressionKey,
  keepsUnmatched,
  limitOf,
  queryKey,
  splitConditions,
} from '../sql/analyze/query-key.ts'
import { childrenOf } from '../sql/tree/children.ts'
import type { Expression, QueryTree, SelectTree } from '../sql/tree/query-tree.ts'
import {
  describeExpression,
  describeTable,
  filtersOf,
  type PhraseOptions,
  setWords,
} from './describe-expression.ts'

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
  readonly condition?: Expression
}

/** The parts by which a comparable query (`comparableQuery`) may differ from another for the same question. */
export const queryParts = (query: QueryTree): readonly QueryPart[] =>
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

const describeRight = (query: QueryTree, saying: PhraseOptions): string => {
  const conditions = query.kind === 'select' ? filtersOf(query) : []
  return conditions.length > 0
    ? conditions.map(condition => describeExpression(condition, saying)).join(' and ')
    : describeExpression({ kind: 'subquery', query }, saying)
}

const selectParts = (query: SelectTree): readonly QueryPart[] => {
  const outputs = query.outputs.map(({ expression }) => expression)
  const { links, conditions } = splitConditions(query)
  return [
    {
      slot: 'output',
      key: outputs.map(expressionKey).sort().join(),
      say: saying => outputs.map(output => describeExpression(output, saying)).join(' and '),
      sayWithout: () => '',
    },
    ...conditions.map(condition => conditionPart('condition', condition)),
    ...conjunctsOf(query.having).map(condition => conditionPart('having', condition)),
    ...(query.groupBy.length === 0
      ? []
      : [
          {
            slot: 'group' as const,
            key: query.groupBy.map(expressionKey).sort().join(),
            say: (saying: PhraseOptions) =>
              `by ${query.groupBy.map(term => describeExpression(term, saying)).join(' and ')}`,
            sayWithout: () => 'in total',
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
    ...query.from.flatMap(({ source: from, join }): readonly QueryPart[] => {
      if (from.kind !== 'table') return from.kind === 'derived' ? queryParts(from.query) : []
      const table = from.name
      const name = describeTable(table)
      const source: QueryPart = {
        slot: 'table',
        key: table,
        say: () => `${name} data`,
        sayWithout: () => `without ${name} data`,
      }
      const partner: QueryPart = {
        slot: 'partner',
        key: table,
        say: () => `also those without a ${name}`,
        sayWithout: () => `only those with a ${name}`,
      }
      return keepsUnmatched(join) ? [source, partner] : [source]
    }),
    ...links.map(
      (link): QueryPart => ({
        slot: 'link',
        key: linkKey(link),
        // Nobody outside of the database says which keys join two tables.
        say: () => '',
        sayWithout: () => '',
      }),
    ),
  ]
}

const conditionPart = (slot: 'condition' | 'having', condition: Expression): QueryPart => ({
  slot,
  key: expressionKey(condition),
  say: saying => describeExpression(condition, saying),
  sayWithout: saying => {
    const positive = condition.kind === 'not' ? condition.operand : condition
    switch (positive.kind) {
      case 'exists':
        return `not only ${describeExpression(condition, saying)}`
      case 'compare':
      case 'between':
      case 'in':
      case 'null-test': {
        const sides = childrenOf(positive)
        const isQuery =
          sides.some(({ kind }) => kind === 'subquery') ||
          (positive.kind === 'in' && 'kind' in positive.among)
        const [left] = sides
        if (isQuery || left === undefined) return `not only ${describeExpression(condition, saying)}`
        return `any ${describeExpression(left, saying)}`
      }
      default:
        return ''
    }
  },
  condition,
})

const rankingParts = (query: Pick<SelectTree, 'orderBy' | 'limit'>): readonly QueryPart[] => {
  const { orderBy } = query
  const limit = limitOf(query)
  // The order of rows that are all shown is a matter of taste, not of which answer is right.
  if (limit === null) return []
  const key = [...orderBy.map(order => `${expressionKey(order.expression)} ${order.direction}`), limit].join()
  const [first] = orderBy
  return [
    {
      slot: 'ranking',
      key,
      say: saying => {
        const isTop = first?.direction === 'desc'
        if (first === undefined) return limit === '1' ? 'only one' : `only ${limit}`
        const by = describeExpression(first.expression, saying)
        return limit === '1'
          ? `the ${isTop ? 'highest' : 'lowest'} ${by}`
          : `${isTop ? 'top' : 'bottom'} ${limit} by ${by}`
      },
      sayWithout: () => 'all of them',
    },
  ]
}

/** The sides of a link may change places. */
const linkKey = (link: Expression): string => childrenOf(link).map(expressionKey).sort().join(' = ')
