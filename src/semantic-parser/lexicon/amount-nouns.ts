import { stemWord } from '../../lib/stem-word.ts'

/** Stems of nouns that are amounts themselves: "costs by channel" asks how much, not how many rows of costs there are. */
export const amountNouns: ReadonlySet<string> = new Set(
  'spend spending cost costs expense expenses expenditure sales revenue revenues income turnover budget payroll earnings profit profits loss losses'
    .split(' ')
    .map(stemWord),
)
