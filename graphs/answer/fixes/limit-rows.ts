import { expectedShape } from '../checks/wanted-shape.ts'
import type { Edit } from './edit.ts'
import type { Statement } from './statement.ts'

/** Takes as many rows as were asked for (`the top 5`) from a statement that orders its rows and keeps all of them. */
export const limitRows = ({ blocks, tokens }: Statement, question: string): readonly Edit[] => {
  const { mostRows } = expectedShape(question)
  const [block, ...others] = blocks.filter(({ parent }) => parent === null)
  const last = tokens[(block?.to ?? 0) - 1]
  if (mostRows === null || !block || others.length > 0 || !last) return []
  if (!block.clauses.order || block.clauses.limit || block.isPartOfSet) return []
  return [{ start: last.end, end: last.end, text: ` LIMIT ${mostRows}` }]
}
