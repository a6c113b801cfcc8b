import { describe, expect, it } from 'vitest'
import { parseKnowledge } from '../../../src/databases/knowledge/parse-knowledge.ts'

const read = (text: string) => parseKnowledge(text, { file: 'knowledge/harbour.md', source: 'knowledge' })

const harbor = `---
database: harbour
---
# What harbour masters know

Written by the harbour masters, for everybody.

## Terms

### big ship
Anything longer
than a hundred metres.
- sql: \`ships.length > 100\`
- also: large ship, giant

### turnover
- columns: dues.amount, \`dues.paid_on\`
<!-- - nobody: sees this -->

## Rules
- Dues are paid in cents,
  whatever the ship flies.
- Night is from ten to six.

## Tables

### ships
What sails.
- also: vessels
- \`length\` (size, metres): From bow to stern.
- flag: Where it is registered.

## Joins
- \`dues.ship_id\` = \`ships.id\`: who pays
- visits.port_id = ports.id and visits.pier = ports.pier
`

describe('a knowledge file', () => {
  it('is read with the line of every piece', () => {
    expect(read(harbor)).toMatchSnapshot()
  })

  it('is about every database where it names none, and about several where it lists them', () => {
    expect(read('## Rules\n- One.').databases).toBeNull()
    expect(read('---\ndatabase: [a, b]\n---\n').databases).toEqual(['a', 'b'])
  })

  it('is read with the line ends of Windows', () => {
    const { knowledge, problems } = read(harbor.replaceAll('\n', '\r\n'))
    expect(problems).toEqual([])
    expect(knowledge).toEqual(read(harbor).knowledge)
  })

  it.each<[string, string, number, RegExp]>([
    ['another section', '# T\n\n## Glossary\n- a', 3, /no section “Glossary”; sections are Terms, Rules/],
    ['a bullet before every section', '# T\n- a\n', 2, /below a section: ## Terms/],
    ['another bullet of a term', '## Terms\n### x\n- query: a', 3, /a term has bullets “sql: ...”/],
    ['an empty sql', '## Terms\n### x\n- sql:', 3, /a term has bullets/],
    ['a term without a heading', '## Terms\n- big ship: long', 2, /with a heading: ### the term/],
    ['a rule with a heading', '## Rules\n### never', 2, /each rule as a bullet/],
    ['a column without words', '## Tables\n### ships\n- `length`', 3, /write a column as/],
    ['half a join', '## Joins\n- dues.ship_id', 2, /write a join as/],
    ['a join of three tables', '## Joins\n- a.x = b.x and a.y = c.y', 2, /write a join as/],
    ['another head', '---\ntable: x\n---\n## Rules\n- One.', 2, /only this may stand: database/],
    ['a head that is no YAML', '---\n{{\n---\n', 2, /only this may stand/],
  ])('tells the line of %s', (_what, text, line, message) => {
    const { problems } = read(text)
    expect(problems).toEqual([
      { at: { file: 'knowledge/harbour.md', line }, message: expect.stringMatching(message) },
    ])
  })

  it('is read on behind what cannot be read', () => {
    const { knowledge, problems } = read('## Terms\n### x\n- query: a\n- sql: a.b = 1\n## Rules\n- Never.')
    expect(problems).toHaveLength(1)
    expect(knowledge.terms[0]).toMatchObject({ name: 'x', sql: 'a.b = 1' })
    expect(knowledge.rules).toHaveLength(1)
  })
})
