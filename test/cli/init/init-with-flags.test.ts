import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { cyclesSchema } from '../../e2e/cycles-schema.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { createMysqlDatabase } from '../../helpers/services/mysql-database.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'

let folder: string
const place = (env: NodeJS.ProcessEnv = {}) => ({ folder, home: join(folder, 'home'), env })
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const cycles = makeSqliteFile(cyclesSchema)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-init-'))
  return () => rmSync(folder, { recursive: true, force: true })
})
afterAll(() => cycles.remove())

it('says which flags are needed where there is nobody to ask', async () => {
  for (const args of [['init'], ['init', '--json']]) {
    const { status, out, err } = await runCli(args, place())
    expect([status, out]).toEqual([2, ''])
    for (const flag of [
      '--yes',
      '--database ADDRESS',
      '--database-from-env',
      '--slack http',
      'SLACK_BOT_TOKEN',
    ])
      expect(err).toContain(flag)
  }
  const { status, err } = await runCli(['init', '--yes'], place())
  expect(status).toBe(2)
  expect(err).toContain('--database ADDRESS')
})

it('sets a file up, answers what it proposes, and does nothing twice', async () => {
  const args = ['init', '--yes', '--json', '--database', cycles.file, '--name', 'cycles']
  const first = await runCli(args, place())
  expect([first.status, first.err]).toEqual([0, ''])
  const report = JSON.parse(first.out)
  expect(report).toMatchObject({
    database: { name: 'cycles', kind: 'SQLite' },
    role: { canWrite: null, statements: [] },
    index: { tables: 3, isNew: true },
    slack: { status: 'not-set' },
  })
  expect(report.questions).toHaveLength(5)
  expect(report.answer).toMatchObject({ status: 'answered' })
  const settings = read('querent.yml')
  expect(settings).toContain(`path: ${cycles.file}`)

  for (const question of report.questions.slice(-2)) {
    const { out } = await runCli(['ask', question, '--json'], place())
    expect(JSON.parse(out)).toMatchObject({ question, status: 'answered' })
  }

  const again = JSON.parse((await runCli(['init', '--yes', '--json'], place())).out)
  expect(again).toMatchObject({ database: { name: 'cycles' }, index: { isNew: false } })
  expect(read('querent.yml')).toBe(settings)
})

it('adds to a querent.yml, and changes what it says only with --replace', async () => {
  const before = `# Ours, with care.
defaultDatabase: old
databases:
  old:
    path: ${cycles.file} # the first one
limits:
  maxRows: 50
`
  writeFileSync(join(folder, 'querent.yml'), before)
  const args = [
    'init',
    '--yes',
    '--database',
    cycles.file,
    '--name',
    'new',
    '--description',
    'Bicycles for hire',
  ]
  const refused = await runCli(args, place())
  expect(refused.status).toBe(2)
  expect(refused.err).toContain('--replace')
  expect(refused.out).toContain('- defaultDatabase: old\n    + defaultDatabase: new')
  expect(read('querent.yml')).toBe(before)

  expect((await runCli([...args, '--replace'], place())).status).toBe(0)
  expect(read('querent.yml.bak')).toBe(before)
  const after = read('querent.yml')
  expect(after).toBe(
    before.replace('defaultDatabase: old', 'defaultDatabase: new').replace(
      'limits:',
      `  new:
    path: ${cycles.file}
    description: Bicycles for hire
limits:`,
    ),
  )
})

it.each([
  ['nothing.sqlite', 'There is no file'],
  ['postgres://reader@127.0.0.1:1/shop', 'No server is listening there'],
  ['postgres://reader@no-such-host.invalid/shop', 'host name'],
  ['mysql://reader@127.0.0.1:3306', 'needs the name of a database'],
  ['oracle://reader@host/shop', 'cannot open oracle: databases'],
])('says what to do about %s, and writes nothing', async (address, advice) => {
  const { status, err } = await runCli(['init', '--yes', '--database', address], place())
  expect(status).toBeGreaterThan(0)
  expect(err).toContain(advice)
  expect(() => statSync(join(folder, 'querent.yml'))).toThrow('ENOENT')
})

it('does not mention permissions of a file without tables, and does not take a folder for a file', async () => {
  const bare = makeSqliteFile('pragma user_version = 1')
  try {
    const { status, err } = await runCli(['init', '--yes', '--database', bare.file], place())
    expect(status).toBeGreaterThan(0)
    expect(err).toContain('a SQLite database without a table')
    expect(err).not.toContain('grant')
    const inFolder = await runCli(['init', '--yes', '--database', dirname(bare.file)], place())
    expect(inFolder.err).toContain('is named by the path of its file')
  } finally {
    bare.remove()
  }
})

it('refuses invalid names, connection modes and addresses before it writes anything', async () => {
  const file = ['init', '--yes', '--database', cycles.file]
  for (const [flags, says] of [
    [['--name', '1st'], 'begin with a letter'],
    [['--name', 'sample-company'], 'Choose another name'],
  ] as const) {
    const { status, err } = await runCli([...file, ...flags], place())
    expect(status).toBe(2)
    expect(err).toContain(says)
    expect(() => statSync(join(folder, 'querent.yml'))).toThrow('ENOENT')
  }
  for (const [flags, says] of [
    [['--slack', 'pigeon'], 'socket, http or none'],
    [['--slack', 'http'], '--url'],
    [['--slack', 'http', '--url', 'http://querent.example.com'], 'https://'],
  ] as const) {
    const { status, err } = await runCli([...file, ...flags], place())
    expect(status).toBe(2)
    expect(err).toContain(says)
  }
})

const mysqlUrl = requireService('MYSQL_URL', 'init on MySQL')
it.skipIf(mysqlUrl === null)('tells a MySQL user who can write from one who cannot', async () => {
  const database = await createMysqlDatabase(mysqlUrl ?? '')
  try {
    await database.admin(
      "create table boats (name varchar(40), hull varchar(10)); insert into boats values ('Alba','red'),('Brisa','red'),('Cala','blue')",
    )
    const env = { BOATS: database.url }
    const args = ['init', '--yes', '--json', '--database-from-env', 'BOATS', '--name', 'boats']
    const asRoot = JSON.parse((await runCli(args, place(env))).out)
    expect(asRoot.role).toMatchObject({ canWrite: true })
    expect(read('querent.yml')).toContain(`url: \${BOATS}`)
    expect(() => statSync(join(folder, '.env'))).toThrow('ENOENT')

    const user = `reader_${database.name.slice(-12)}`
    for (const statement of asRoot.role.statements)
      await database.admin(statement.replaceAll('querent_reader', user).replace('CHOOSE ONE', 'pass'))
    try {
      const url = new URL(database.url)
      url.username = user
      url.password = 'pass'
      const asReader = await runCli(args, place({ BOATS: url.href }))
      expect(JSON.parse(asReader.out).role).toMatchObject({ canWrite: false, statements: [] })

      url.password = 'wrong'
      const wrong = await runCli(args, place({ BOATS: url.href }))
      expect(wrong.err).toContain('Check user and password')
    } finally {
      await database.admin(`drop user '${user}'@'%'`)
    }
  } finally {
    await database.drop()
  }
})
