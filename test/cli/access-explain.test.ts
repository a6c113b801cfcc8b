import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-shell-'))
  const made = makeSqliteFile(`
    create table orders (id integer primary key, region text, email text, secret text);
    insert into orders values (1, 'EMEA', 'ada@example.com', 'x'), (2, 'APAC', 'bob@example.com', 'y');
  `)
  writeFileSync(
    join(folder, 'querent.yml'),
    `databases: {shop: {path: "${made.file}"}}
access:
  groups:
    leads: {members: [ULEAD], databases: {shop: {}}}
    emea:
      members: everyone
      databases:
        shop:
          columns: {exclude: [orders.secret]}
          rows: {orders: "region = 'EMEA'"}
          masks: {orders.email: last-four}
          export: false
`,
  )
  return () => {
    made.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

const explain = (...args: readonly string[]) =>
  runCli(['access', 'explain', ...args], {
    folder,
    home: join(folder, 'home'),
    env: { QUERENT_CONFIG: join(folder, 'querent.yml') },
  })

it('says what a person sees of a database and of a table, and which group decides', {
  timeout: 60_000,
}, async () => {
  const { status, out, err } = await explain('--person', 'UADA', '--database', 'shop', '--table', 'orders')
  expect(status, err).toBe(0)
  expect(out).toBe(`What UADA sees:
A part of shop, by the group emea (not in leads, which come first).
Not these columns: orders.secret.
Of orders, only rows where region = 'EMEA'.
orders.email is shown with its last four characters.
Answers cannot be exported as CSV.
Columns of orders: id, region, email.
Rows they see: 1.
Slack is not set up here, so user groups and e-mail addresses are not known. Only ids and claims in querent.yml were looked at.
`)
  expect((await explain('--person', 'ULEAD', '--database', 'shop')).out).toContain(
    'Everything in shop that can be asked, by the group leads.',
  )
})

it('names the databases that there are', { timeout: 60_000 }, async () => {
  const { status, err } = await explain('--person', 'UADA', '--database', 'shp')
  expect(status).toBe(2)
  expect(err).toContain('There is no database called shp. Known: shop.')
})

it('lets doctor find a rule that matches nothing', { timeout: 60_000 }, async () => {
  const doctor = () =>
    runCli(['doctor', '--database', 'shop'], {
      folder,
      home: join(folder, 'home'),
      env: { QUERENT_CONFIG: join(folder, 'querent.yml'), DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    })
  expect((await doctor()).out).toMatch(/access to shop\s.*rules of leads, emea can be applied/)
  const file = join(folder, 'querent.yml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('orders.email:', 'orders.mail:'))
  const { status, out } = await doctor()
  expect(status).toBe(1)
  expect(out).toContain('The mask for orders.mail of the group “emea” matches no column')
})
