import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runOn } from '../../helpers/run-on.ts'
import { failure, openDuckdbFolder } from './duckdb-folder.ts'

const { folder, open, makeFolder } = openDuckdbFolder()

describe('DuckDB files', () => {
  it('are said to be missing, of no use, empty, of one name or patterns when they are', async () => {
    expect(await failure(open(join(folder, 'nowhere')))).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('There is no file or folder'),
    })
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{ 'notes.txt': 'x' }, 'There is nothing to query in the folder'],
      [{ 'a.csv': 'x\n1\n', 'A.json': '[]' }, 'would both be the table'],
      [{ 'a.csv': '' }, 'is empty'],
      [{ 'a[1].csv': 'x\n1\n' }, 'for a pattern'],
    ]
    for (const [files, words] of cases)
      expect(await failure(open(makeFolder(files)))).toMatchObject({
        code: 'unknown-database',
        message: expect.stringContaining(words),
      })
    const text = join(makeFolder({ 'notes.txt': 'this is no database' }), 'notes.txt')
    expect(await failure(open(text))).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('neither a DuckDB database'),
    })
  })

  it('that are broken are named, with what to do', async () => {
    const path = makeFolder({ 'a.parquet': 'PAR1 and then nothing', 'b.csv': 'x\n1\n' })
    const error = await failure((await open(path)).introspect())
    expect(error).toMatchObject({ code: 'database-unreachable' })
    expect(error.message).toContain(join(path, 'a.parquet'))
    expect(error.message).toContain('It is not a Parquet file')
    const latin = makeFolder({})
    writeFileSync(join(latin, 'a.csv'), Buffer.from('name,x\nMünchen,1\n', 'latin1'))
    expect((await failure((await open(latin)).introspect())).message).toContain('Save it again in UTF-8')
  })

  it.each([
    [
      'a row too long',
      'id,name,amount\n1,Ann,5\n2,Bob,6,extra\n3,Cy,7\n',
      'line 3 has 4, and those above it have 3',
    ],
    // Only the last line would be left.
    ['a last row too long', 'id,name\n1,Ann\n2,Bob\n3,Cy,7\n', 'line 4 has 3, and those above it have 2'],
    ['a row too short', 'id;name;amount\n1;Ann;5\n2;Bob\n', 'line 3 has 2, and those above it have 3'],
    [
      'a title of two fields',
      'June, 2024\nid,name,amount\n1,Ann,5\n2,Bob,6\n',
      'line 2 has 3, and those above it have 2',
    ],
  ])('with %s are refused, since rows would be missing', async (_, text, said) => {
    const path = makeFolder({ 'fine.csv': 'x\n1\n', 'a.csv': text })
    const error = await failure((await open(path)).introspect())
    expect(error).toMatchObject({ code: 'database-unreachable' })
    expect(error.message).toContain(join(path, 'a.csv'))
    expect(error.message).toContain(said)
    expect(error.message).toContain('Give every line as many fields')
  })

  it.each([
    ['a title and an empty line above', 'Sales of June\n\nid,name\n1,Ann\n2,"Bob, jr"\n', 2],
    ['one column, of texts with commas in them', 'name\n"Ann, of York"\nBob\n"Cy\nor Di, both"\n', 3],
    ['quotes and line ends in texts', 'id,note\n1,"say ""a, b"""\n2,"two\nlines"\n3,5" pipe\n', 3],
    ['empty lines', 'id,name\n1,Ann\n\n2,Bob\n', 2],
  ])('with %s are read whole', async (_, text, rows) => {
    const connector = await open(makeFolder({ 'a.csv': text }))
    expect((await runOn(connector, 'select count(*) from a')).rows).toEqual([[rows]])
  })

  it('say where they cannot be read, and nothing of what stands there', async () => {
    const lines = Array.from({ length: 700_000 }, (_, row) => `${row},000-00-${row},${'padding '.repeat(4)}`)
    const path = makeFolder({ 'a.csv': `id,ssn,note\n${lines.join('\n')}\n7,123-45-6789,x,one too many\n` })
    const uneven = await failure(runOn(await open(path), 'select count(note) from a'))
    expect(uneven).toMatchObject({ errorClass: 'other' })
    expect(uneven.message).toContain(
      'Line 700002 of a CSV file cannot be read: it has 4 fields, and the others have 3',
    )
    expect(uneven.message).not.toContain('123-45')
    writeFileSync(join(path, 'a.csv'), `id,ssn,note\n${lines.join('\n')}\nseven,123-45-6789,x\n`)
    const mistyped = await failure(runOn(await open(path), 'select sum(id), max(ssn) from a'))
    expect(mistyped.message).toContain('cannot be read: its field id is no BIGINT')
    expect(mistyped.message).not.toMatch(/123-45|seven/)
  })
})
