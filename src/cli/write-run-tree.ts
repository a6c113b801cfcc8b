import type { Writable } from 'node:stream'
import type { AnswerReport } from '../core/answer.ts'
import { drawTree } from './run-tree/draw-tree.ts'
import { traceTree } from './run-tree/trace-tree.ts'

/** Width where nobody says how wide the terminal is; longer lines are hard to read on any. */
const WIDTH = 100

/** Draws the whole run as a tree for `--explain`, from the words of the question to the decision. */
export const writeRunTree = (out: Writable & { readonly columns?: number }, report: AnswerReport): void => {
  const { trace, outcome } = report
  const lines = trace
    ? drawTree(traceTree(trace), Math.min(out.columns ?? WIDTH, WIDTH))
    : [`question ${report.questionId}`, `└─ ${outcome.status}, before there was anything to explain`]
  out.write(`${lines.join('\n')}\n`)
}
