import type { Column } from '../../src/domain/catalog.ts'

/** A column of text that was never measured, but for what is given; its declared type is the word for its kind. */
export const makeColumn = (name: string, given: Partial<Column> = {}): Column => ({
  name,
  type: given.kind ?? 'text',
  kind: 'text',
  nullable: true,
  comment: null,
  profile: null,
  ...given,
})
