import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startObedientModel } from '../adversarial/obedient.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

// Every request to the model is recorded, over a database in which each value carries a mark.

const marks = /zqv|7301\d{3}|1957-/

const schema = `
  create table visitors (id integer primary key, email text, town text, kind text, spent integer, born date);
  insert into visitors
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 30)
    select i, 'zqv' || i || '@example.com', 'zqvtown ' || (i % 4), 'zqvkind ' || (i % 3), 7301000 + i, '1957-01-' || (10 + i % 20) from n;
  create table visits (id integer primary key, visitor_id integer references visitors, remark text);
  insert into visits select id, id, 'zqvremark ' || id from visitors;
`

const questions: readonly (readonly string[])[] = [
  ['How many visitors are there by town?'],
  ['Which visitors spent the most in zqvtown?'],
  ['What do visitors remark, by kind?'],
  ['Only the first town', '--after', 'How many visitors are there by town?'],
  ['How old are visitors by kind, roughly speaking?'],
]

/** What a model was asked about these questions, under some settings of the database and a way to answer. */
const promptsUnder = async (settings: string, strategy: string): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-shell-'))
  const made = makeSqliteFile(schema)
  await using model = await startObedientModel(
    [],
    'select town, count(*) from visitors where kind > 3 group by town',
  )
  try {
    writeFileSync(
      join(folder, 'querent.yml'),
      `databases: {park: {path: "${made.file}"${settings}}}
defaultDatabase: park
strategy: ${strategy}
answer: {costOfAsking: 1}
models: {drafter: {model: m}, explainer: {model: m}, judge: {model: m}, fixer: {model: m}, rewriter: {model: m}, keywords: {model: m}}
`,
    )
    for (const typed of questions)
      await runCli(['ask', ...typed], {
        folder,
        home: join(folder, 'home'),
        env: { QUERENT_CONFIG: join(folder, 'querent.yml'), OPENAI_BASE_URL: model.baseUrl },
      })
    return [...model.prompts]
  } finally {
    made.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without what the question itself says. */
const withoutTyped = (prompt: string): string => prompt.replaceAll(/zqvtown(?= ?\?)/g, '')

it.each(['adaptive', 'chase'])(
  'no value goes to a model that sees the schema alone: %s',
  async strategy => {
    const prompts = await promptsUnder(', modelsSee: schema', strategy)
    expect(prompts.length).toBeGreaterThan(5)
    expect(prompts.some(prompt => prompt.includes('visitors'))).toBe(true)
    const shown = prompts.flatMap(
      prompt => withoutTyped(prompt).match(/.{0,80}(?:zqv|7301\d{3}|1957-).{0,40}/g) ?? [],
    )
    expect(shown).toEqual([])
  },
  300_000,
)

it('values go to a model otherwise, but none of personal columns', async () => {
  const prompts = (await promptsUnder(', personal: {columns: [visits.remark]}', 'adaptive')).map(withoutTyped)
  expect(prompts.some(prompt => marks.test(prompt))).toBe(true)
  expect(prompts.filter(prompt => /zqv\d+@|zqvremark/.test(prompt))).toEqual([])
  // What is said not to be personal is shown like any other.
  const others = await promptsUnder(', personal: {not: [visitors.email]}', 'adaptive')
  expect(others.some(prompt => /zqv\d+@/.test(prompt))).toBe(true)
}, 300_000)
