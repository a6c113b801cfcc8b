import {
  aggregateNames,
  type ColumnName,
  type Comparison,
  callOf,
  compareOf,
  type Expression,
} from '../tree/query-tree.ts'
import { isTagged, nameOf, namesOf, type PolyglotReader } from './polyglot-node.ts'
import { isNode, keepOrigin, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/**
 * Makes the reader of polyglot's expressions. `characters` is the text in code points, which is what polyglot counts;
 * empty if `"x"` is always a name.
 */
export const makePolyglotExpression = (
  { query, expression, rest, orderBy }: PolyglotReader,
  characters: readonly string[],
): ((value: TreeValue | undefined) => Expression) => {
  const optional = (value: TreeValue | undefined): Expression | null =>
    isNode(value) ? expression(value) : null

  const readColumn = (node: TreeNode): ColumnName => {
    const name = nodeOf(node.name)
    const start = nodeOf(name?.span)?.start
    const qualifier = nameOf(node.table)
    const column: ColumnName = {
      kind: 'column',
      outer: [],
      qualifier,
      name: nameOf(name ?? undefined) ?? '',
      quoted: name?.quoted === true,
      mayBeText: qualifier === null && typeof start === 'number' && characters[start] === '"',
    }
    return keepOrigin(column, node)
  }

  const readCompare = (kind: string, node: TreeNode): Expression => {
    const [operator, variant] = comparisons.get(kind) ?? ['=', null]
    const negated = node.not === true
    const compare: Expression = {
      ...compareOf(
        negated && operator === 'like' ? 'not like' : operator,
        expression(node.left),
        expression(node.right),
      ),
      variant,
      details: rest(node, sides),
    }
    return negated && operator !== 'like' ? { kind: 'not', operand: compare } : compare
  }

  const readAggregate = (kind: string, node: TreeNode): Expression => {
    const [first, ...others] = isNode(node.this) ? [node.this] : listOf(node.args)
    return {
      kind: 'aggregate',
      fn: aggregateNames.get(kind) ?? 'count',
      name: kind,
      distinct: node.distinct === true,
      star: node.star === true,
      argument: first === undefined ? null : expression(first),
      others: others.map(expression),
      filter: optional(node.filter),
      details: rest(node, aggregateParts),
    }
  }

  const readWindow = (node: TreeNode): Expression => {
    const over = nodeOf(node.over)
    return {
      kind: 'window',
      call: expression(node.this),
      partitionBy: listOf(over?.partition_by).map(expression),
      orderBy: orderBy(over?.order_by),
      details: [...rest(over ?? undefined, overParts), ...rest(node, windowParts)],
    }
  }

  const readIn = (node: TreeNode): Expression => {
    const items = listOf(node.expressions)
    const among = query(node.query) ?? (items.length === 1 ? query(items[0]) : null)
    return {
      kind: 'in',
      operand: expression(node.this),
      among: among ?? items.map(expression),
      negated: node.not === true,
      bare: node.is_field === true,
      details: rest(node, inParts),
    }
  }

  /** A form without a kind of its own: its direct parts are inputs, whatever else it holds are details. */
  const readCall = (kind: string, node: TreeNode): Expression => {
    const name = kind === 'function' || kind === 'aggregate_function' ? (textOf(node.name) ?? kind) : kind
    const inputs: Expression[] = []
    const details: Expression[] = []
    for (const [key, child] of Object.entries(node))
      for (const part of Array.isArray(child) ? (child as readonly TreeValue[]) : [child]) {
        if (!notInputs.has(key) && isTagged(part)) inputs.push(expression(part))
        else details.push(...rest(part))
      }
    return callOf(name.toLowerCase(), inputs, { distinct: node.distinct === true, details })
  }

  return value => {
    const [kind, body] = Object.entries(nodeOf(value) ?? {})[0] ?? []
    const node = nodeOf(body)
    if (kind === 'null' && node === null) return { kind: 'constant', value: 'null' }
    if (kind === undefined || node === null) return callOf(kind ?? '', [], { details: rest(value, nothing) })
    if (comparisons.has(kind) && node.left !== undefined) return readCompare(kind, node)
    const operator = arithmetic.get(kind)
    if (operator !== undefined && node.left !== undefined)
      return { kind: 'arithmetic', operator, left: expression(node.left), right: expression(node.right) }
    if (aggregateNames.has(kind)) return readAggregate(kind, node)
    switch (kind) {
      case 'column':
        return readColumn(node)
      case 'star': {
        const star: Expression = {
          kind: 'star',
          qualifier: nameOf(node.table),
          except: namesOf(node.except),
          replace: rest(node.replace),
          renames: listOf(node.rename).length > 0,
        }
        return keepOrigin(star, node)
      }
      case 'dot': {
        const field: Expression = {
          kind: 'field',
          operand: expression(node.this),
          name: nameOf(node.field) ?? '',
        }
        return keepOrigin(field, node)
      }
      case 'literal':
        return {
          kind: node.literal_type === 'number' ? 'number' : 'text',
          value: textOf(node.value) ?? '',
        }
      case 'neg':
        return callOf('negative', [expression(node.this)])
      case 'boolean':
        return { kind: 'constant', value: node.value === true ? 'true' : 'false' }
      case 'null':
        return { kind: 'constant', value: 'null' }
      case 'paren': {
        const inside = query(node.this)
        return inside === null
          ? { kind: 'paren', operand: expression(node.this) }
          : { kind: 'subquery', query: inside }
      }
      case 'subquery':
      case 'select':
      case 'union':
      case 'intersect':
      case 'except': {
        const inside = query(value)
        return inside === null
          ? { kind: 'paren', operand: expression(node.this) }
          : { kind: 'subquery', query: inside }
      }
      case 'and':
      case 'or':
        return {
          kind,
          operands: [expression(node.left), expression(node.right)].flatMap(one =>
            one.kind === kind ? one.operands : [one],
          ),
        }
      case 'not':
        return { kind: 'not', operand: expression(node.this) }
      case 'between':
        return {
          kind: 'between',
          operand: expression(node.this),
          low: expression(node.low),
          high: expression(node.high),
          negated: node.not === true,
        }
      case 'in':
        return readIn(node)
      case 'is_null':
        return { kind: 'null-test', operand: expression(node.this), negated: node.not === true }
      case 'is_true':
      case 'is_false':
        return {
          kind: 'truth-test',
          operand: expression(node.this),
          truth: kind === 'is_true' ? 'true' : 'false',
          negated: node.not === true,
        }
      case 'is':
        return {
          kind: 'is',
          left: expression(node.left),
          right: expression(node.right),
          negated: node.not === true,
        }
      case 'exists': {
        const inside = query(node.this)
        if (inside !== null) return { kind: 'exists', query: inside, negated: node.not === true }
        break
      }
      case 'any':
      case 'all':
        return {
          ...compareOf(
            comparisons.get((textOf(node.op) ?? 'eq').toLowerCase())?.[0] ?? '=',
            expression(node.this),
            expression(node.subquery),
          ),
          quantifier: kind,
        }
      case 'cast':
      case 'try_cast':
      case 'safe_cast':
        return {
          kind: 'cast',
          operand: expression(node.this),
          lenient: kind !== 'cast',
          details: rest(node, onlyThis),
        }
      case 'case':
        return {
          kind: 'case',
          operand: optional(node.operand),
          branches: listOf(node.whens).map(pair => {
            const [when, then] = listOf(pair)
            return { when: expression(when), value: expression(then) }
          }),
          otherwise: optional(node.else_),
        }
      case 'if_func':
        return {
          kind: 'case',
          operand: null,
          branches: [{ when: expression(node.condition), value: expression(node.true_value) }],
          otherwise: optional(node.false_value),
        }
      case 'window_function':
        return readWindow(node)
      case 'method_call':
        return callOf((nameOf(node.method) ?? kind).toLowerCase(), [
          expression(node.this),
          ...listOf(node.args).map(expression),
        ])
      case 'extract':
        return callOf((textOf(node.field) ?? 'extract').toLowerCase(), [expression(node.this)], {
          details: rest(node, onlyThis),
        })
      case 'interval':
        return {
          kind: 'interval',
          amount: optional(node.this),
          unit: (textOf(nodeOf(node.unit)?.unit) ?? '').toLowerCase(),
          details: rest(node, onlyThis),
        }
      case 'alias':
        return { kind: 'named', operand: expression(node.this), name: nameOf(node.alias) ?? '' }
      case 'lambda':
        return { kind: 'lambda', names: namesOf(node.parameters), parts: rest(node, lambdaParts) }
      case 'comprehension': {
        const variable = expression(node.expression)
        const { kind: isName } = variable
        return {
          kind: 'lambda',
          names: isName === 'column' ? [variable.name] : [],
          parts: rest(node, isName === 'column' ? onlyExpression : nothing),
        }
      }
      case 'table':
        return { kind: 'unclear', what: 'a table where none is expected', parts: rest(node, nothing) }
    }
    return readCall(kind, node)
  }
}

const sides: ReadonlySet<string> = new Set(['left', 'right'])

const aggregateParts: ReadonlySet<string> = new Set(['this', 'args', 'filter'])

const overParts: ReadonlySet<string> = new Set(['partition_by', 'order_by'])

const windowParts: ReadonlySet<string> = new Set(['this', 'over'])

const inParts: ReadonlySet<string> = new Set(['this', 'expressions', 'query'])

const lambdaParts: ReadonlySet<string> = new Set(['parameters'])

const onlyThis: ReadonlySet<string> = new Set(['this'])

const onlyExpression: ReadonlySet<string> = new Set(['expression'])

const nothing: ReadonlySet<string> = new Set()

const notInputs: ReadonlySet<string> = new Set(['span', 'to', 'name', 'unit', 'inferred_type'])

type CompareParts = readonly [Comparison, Extract<Expression, { kind: 'compare' }>['variant']]

const comparisons: ReadonlyMap<string, CompareParts> = new Map<string, CompareParts>([
  ['eq', ['=', null]],
  ['null_safe_eq', ['=', 'null-safe']],
  ['neq', ['<>', null]],
  ['lt', ['<', null]],
  ['lte', ['<=', null]],
  ['gt', ['>', null]],
  ['gte', ['>=', null]],
  ['like', ['like', null]],
  ['i_like', ['like', 'no-case']],
  ['glob', ['like', 'glob']],
  ['match', ['like', 'match']],
])

const arithmetic: ReadonlyMap<string, Extract<Expression, { kind: 'arithmetic' }>['operator']> = new Map([
  ['add', '+'],
  ['sub', '-'],
  ['mul', '*'],
  ['div', '/'],
  ['mod', '%'],
  ['concat', '||'],
])
