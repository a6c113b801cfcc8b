import type { Frame, Measure, Output } from '../frame.ts'
import { amountNouns } from '../lexicon.ts'
import type { Features } from '../rank/model.ts'
import type { TableEntry } from '../schema/schema-index.ts'
import { amountColumns } from './advance.ts'
import type { SearchContext } from './search-context.ts'
import type { SearchState } from './state.ts'

/** A complete frame, and the features of completing it. */
export interface CompletedFrame {
  readonly frame: Frame
  readonly features: Features
}

const rowCountMeasure: Measure = { fn: 'count', column: null, table: null, distinct: false }

/**
 * Adds what a frame should show: groups without a measure are counted, and a question that names nothing to show gets
 * the names of its rows. There may be several ways.
 */
export const completeOutputs = (
  context: SearchContext,
  state: SearchState,
  frame: Frame,
): readonly CompletedFrame[] => {
  if (frame.outputs.some(output => output.kind === 'all')) return showAll(context, state, frame)
  const grouped = frame.groups.length > 0
  const onlyKeys =
    grouped &&
    frame.outputs.every(output => output.kind === 'unit' || (output.kind === 'column' && output.grouped))
  if (onlyKeys && frame.orders.length === 0 && frame.havings.length === 0) {
    const table = countedTable(frame)
    const measured = (measure: Measure): Frame => ({
      ...frame,
      outputs: [...frame.outputs, { kind: 'measure', measure }],
    })
    const amounts = table && isAmount(table) ? amountColumns(table).slice(0, 1) : []
    return [
      ...outputOrders(context, measured({ ...rowCountMeasure, table }), [['fin.groupCount', 1]]),
      ...amounts.flatMap(column =>
        outputOrders(context, measured({ fn: 'sum', column, table, distinct: false }), [
          ['fin.groupAmount', 1],
        ]),
      ),
    ]
  }
  if (frame.outputs.length > 0) {
    const summed = grouped ? implicitSums(frame) : implicitSum(frame)
    return summed.flatMap(one => outputOrders(context, one.frame, one.features))
  }
  const table = subjectOf(context, state, frame)
  if (!table) return []
  const named = table.display.some(column => column.traits.name)
  const display = table.display.map((column): Output => ({ kind: 'column', column, grouped: false }))
  const made: CompletedFrame[] = [
    { frame: { ...frame, outputs: display }, features: [[named ? 'fin.display' : 'fin.displayUnnamed', 1]] },
  ]
  made.push({
    frame: { ...frame, outputs: [{ kind: 'all', table }] },
    features: [[named ? 'fin.all' : 'fin.allUnnamed', 1]],
  })
  const [key] = table.primaryKey
  if (key && table.primaryKey.length === 1 && !table.display.includes(key)) {
    const output: Output = { kind: 'column', column: key, grouped: false }
    made.push({ frame: { ...frame, outputs: [output] }, features: [['fin.key', 1]] })
  }
  return made
}

const showAll = (context: SearchContext, state: SearchState, frame: Frame): readonly CompletedFrame[] => {
  const table = subjectOf(context, state, frame)
  if (!table) return []
  const others = frame.outputs.filter(output => output.kind !== 'all')
  const features: Features = [
    ['fin.everything', 1],
    ['fin.everythingToo', others.length > 0 ? 1 : 0],
  ]
  return [{ frame: { ...frame, outputs: [...others, { kind: 'all', table }] }, features }]
}

/** The table that a question is about if it does not say what to show: the one named first, else the one used first. */
const subjectOf = (context: SearchContext, state: SearchState, frame: Frame): TableEntry | null =>
  frame.tables[0] ?? context.schema.tables[state.touched[0] ?? -1] ?? null

/** Whether a table is named after an amount (`marketing_spend`): then the amount is meant, not its rows. */
const isAmount = (table: TableEntry): boolean =>
  table.words.at(-1)?.stems.some(stem => amountNouns.has(stem)) ?? false

/** What a group without a measure counts: the named table that is not a grouping, else that of the first condition. */
const countedTable = (frame: Frame): TableEntry | null =>
  frame.tables.find(table => !frame.groups.some(group => group.entity === table)) ??
  frame.conditions[0]?.column.table ??
  frame.tables[0] ??
  null

/** "Sales in Germany": a single number may be meant as a sum. */
const implicitSum = (frame: Frame): readonly CompletedFrame[] => {
  const [output, ...others] = frame.outputs
  const plain: CompletedFrame = { frame, features: [] }
  if (output?.kind !== 'column' || others.length > 0 || frame.orders.length > 0) return [plain]
  const { column } = output
  if (!column.traits.numeric || column.traits.key || column.traits.year || frame.havings.length > 0)
    return [plain]
  const measure: Measure = { fn: 'sum', column, table: column.table, distinct: false }
  return [
    plain,
    { frame: { ...frame, outputs: [{ kind: 'measure', measure }] }, features: [['fin.sumAlone', 1]] },
  ]
}

/** "Revenue by month": a number next to a grouping is meant as its sum. */
const implicitSums = (frame: Frame): readonly CompletedFrame[] => {
  const summable = (output: Output): boolean =>
    output.kind === 'column' && !output.grouped && output.column.traits.numeric && !output.column.traits.key
  if (!frame.outputs.some(summable)) return [{ frame, features: [] }]
  const outputs = frame.outputs.map(
    (output): Output =>
      summable(output) && output.kind === 'column'
        ? {
            kind: 'measure',
            measure: { fn: 'sum', column: output.column, table: output.column.table, distinct: false },
          }
        : output,
  )
  return [
    { frame: { ...frame, outputs }, features: [['fin.implicitSum', 1]] },
    { frame, features: [['fin.plainInGroup', 1]] },
  ]
}

const groupingWords = new Set(['by', 'per', 'each', 'every', 'different', 'monthly', 'daily', 'weekly'])

/** Groupings and measures, in the order of the question and reversed: people differ in what they put first. */
const outputOrders = (
  context: SearchContext,
  frame: Frame,
  features: Features,
): readonly CompletedFrame[] => {
  const isKey = (output: Output): boolean => output.kind !== 'measure'
  const keys = frame.outputs.filter(isKey)
  const measures = frame.outputs.filter(output => !isKey(output))
  if (keys.length === 0 || measures.length === 0) return [{ frame, features }]
  const first = frame.outputs[0]
  const keyFirst = first !== undefined && isKey(first)
  const said = context.tokens.find(token => groupingWords.has(token.folded))?.folded ?? 'unsaid'
  const explicit = frame.groups.length > 0 ? said : 'plain'
  const order = (first: boolean): string => `${first ? 'out.keyFirst' : 'out.measureFirst'}.${explicit}`
  const swapped = keyFirst ? [...measures, ...keys] : [...keys, ...measures]
  return [
    {
      frame,
      features: [...features, [`out.asAsked.${explicit}`, 1], [order(keyFirst), 1]],
    },
    {
      frame: { ...frame, outputs: swapped },
      features: [...features, [`out.swapped.${explicit}`, 1], [order(!keyFirst), 1]],
    },
  ]
}
