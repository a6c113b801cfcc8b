/** What a model said of the tables of a database, by table name. */
export interface GeneratedDescription {
  readonly table: string
  readonly text: string | null
  readonly columns: readonly { readonly column: string; readonly text: string }[]
}

/** Writes generated descriptions in the form of a knowledge file, to be read, corrected and committed by people. */
export const renderGeneratedDescriptions = (
  database: string,
  tables: readonly GeneratedDescription[],
): string => {
  const described = tables.filter(({ text, columns }) => text !== null || columns.length > 0)
  return [
    '---',
    `database: ${JSON.stringify(database)}`,
    '---',
    `# What a model wrote about ${database}`,
    '',
    'Made by `querent index --describe` from what was measured. Comments in the database and whatever stands in the',
    'other knowledge files win over it. Correct what is wrong by moving it there: this file is written anew.',
    '',
    '## Tables',
    ...described.flatMap(({ table, text, columns }) => [
      '',
      `### ${table}`,
      ...(text === null ? [] : [asProse(text)]),
      ...columns.map(one => `- \`${one.column}\`: ${one.text}`),
    ]),
    '',
  ].join('\n')
}

/** A sentence that began like a heading or a bullet would be read as one. */
const asProse = (text: string): string => text.replace(/^[#*-]+\s*/, '')
