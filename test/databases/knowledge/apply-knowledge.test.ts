import { describe, expect, it } from 'vitest'
import {
  applyKnowledge,
  checkKnowledge,
  columnsInSql,
} from '../../../src/databases/knowledge/apply-knowledge.ts'
import type { LoadedKnowledge } from '../../../src/databases/knowledge/knowledge-files.ts'
import { parseKnowledge } from '../../../src/databases/knowledge/parse-knowledge.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import { harborCatalog } from '../catalog/harbor-catalog.ts'

const read = (text: string, source: 'knowledge' | 'generated' = 'knowledge'): LoadedKnowledge =>
  parseKnowledge(text, { file: 'harbour.md', source })

const apply = (...texts: readonly LoadedKnowledge[]): Catalog =>
  applyKnowledge(harborCatalog, {
    terms: [],
    rules: [],
    descriptions: texts.flatMap(({ knowledge }) => knowledge.descriptions),
    joins: texts.flatMap(({ knowledge }) => knowledge.joins),
  })

const ports = ({ tables }: Catalog) => tables.find(({ name }) => name === 'ports')

const column = (catalog: Catalog, name: string) => ports(catalog)?.columns.find(one => one.name === name)

describe('descriptions', () => {
  it("are the team's where it has some, else the database's, else generated", () => {
    const catalog = apply(
      read('## Tables\n### ports\nA place to moor.\n- `size`: How large ships may be.'),
      read(
        '## Tables\n### ports\nGenerated.\n- `size`: Generated.\n- `name`: Generated.\n- `open`: Whether it is open.',
        'generated',
      ),
    )
    expect(ports(catalog)).toMatchObject({ comment: 'A place to moor.', commentSource: 'knowledge' })
    expect(column(catalog, 'size')).toMatchObject({
      comment: 'How large ships may be.',
      commentSource: 'knowledge',
    })
    expect(column(catalog, 'name')).toMatchObject({
      comment: expect.stringContaining('What sailors call it'),
      commentSource: 'database',
    })
    expect(column(catalog, 'open')).toMatchObject({
      comment: 'Whether it is open.',
      commentSource: 'generated',
    })
  })

  it('begin with what else people say', () => {
    const catalog = apply(
      read('## Tables\n### ports\n- also: harbours\n- `size` (class)\n- `open` (busy): Takes ships.'),
    )
    expect(ports(catalog)).toMatchObject({
      comment: 'harbours: Where ships lie',
      commentSource: 'database',
      synonyms: ['harbours'],
    })
    expect(column(catalog, 'size')).toMatchObject({ comment: 'class', synonyms: ['class'] })
    expect(column(catalog, 'open')?.comment).toBe('busy: Takes ships.')
  })

  it('leave a catalog that nobody has described as it is', () => {
    expect(apply(read('## Rules\n- Never.'))).toBe(harborCatalog)
  })
})

describe('preferred joins', () => {
  it('stand for declared ones between the same columns, and for guesses about their own', () => {
    const catalog = apply(
      read('## Joins\n- ports.id = Ship.port_id'),
      read('## Joins\n- busy.port = ports.size\n- ports.id = busy.port'),
    )
    expect(
      catalog.foreignKeys.map(key => [key.source, key.from.table, key.to.table, key.to.columns]),
    ).toEqual([
      ['declared', 'Ship Visits', 'ports', ['id']],
      ['knowledge', 'ports', 'Ship', ['port_id']],
      ['knowledge', 'busy', 'ports', ['size']],
      ['knowledge', 'ports', 'busy', ['port']],
    ])
  })
})

describe('what the database does not have', () => {
  it.each<[string, string, string]>([
    ['a table', '## Tables\n### port\nA place.', 'there is no table port; did you mean ports?'],
    [
      'a column',
      '## Tables\n### ports\n- `naem`: x',
      'the table ports has no column naem; did you mean name?',
    ],
    ['a table far from all', '## Tables\n### invoices\nx', 'there is no table invoices'],
    [
      'a column in SQL',
      "## Terms\n### big\n- sql: ports.sise = 'L'",
      'the table ports has no column sise; did you mean size?',
    ],
    [
      'a column of a term',
      '## Terms\n### big\n- columns: size',
      'write a column as table.column; size is not',
    ],
    [
      'a side of a join',
      '## Joins\n- busy.prot = ports.id',
      'the table busy has no column prot; did you mean port?',
    ],
  ])('%s is left out and told of', (_what, text, message) => {
    const { knowledge, problems } = checkKnowledge(read(text).knowledge, harborCatalog)
    expect(problems.map(problem => problem.message)).toEqual([message])
    expect([knowledge.terms, knowledge.descriptions, knowledge.joins]).toEqual([[], [], []])
  })

  it('texts and functions in SQL are no columns', () => {
    expect(
      columnsInSql(`a.b = 'c.d' and pg_catalog.lower(e.f) > 1.5 and g = 'it''s h.i' or x.y.z is null`),
    ).toEqual(['a.b', 'e.f', 'x.y.z'])
  })
})
