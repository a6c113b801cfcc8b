import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { projectFolder } from '../../src/lib/project.ts'
import { makeFolder } from '../config/make-folder.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { postgresServers } from '../helpers/services/postgres-servers.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import {
  credentials,
  digestId,
  nextQuestion,
  openReleaseApp,
  people,
  questions,
  sealer,
  team,
  verified,
} from './setup/release-store.ts'

const folder = join(projectFolder, 'fixtures/stores')
const releases = readdirSync(folder)
  .filter(file => file.endsWith('.sql'))
  .map(file => file.replace(/\.sql$/, ''))

const restore = async (url: string, release: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(readFileSync(join(folder, `${release}.sql`), 'utf8'))
  await client.end()
}

it('every released version has a dump of its store', () => {
  const changelog = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8')
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version)
  expect(released).toContain('0.1.0')
  expect(released.toSorted()).toEqual(releases.toSorted())
})

describe.each(
  postgresServers('upgrades of the store').flatMap(on => releases.map(release => ({ on, release }))),
)('a store of $release on the $on server', ({ on, release }) => {
  it('is migrated, keeps its data, and answers', async () => {
    await using database = await createTestDatabase({ on })
    await restore(database.url, release)
    await using app = await openReleaseApp(database.url)
    const { store } = app
    const { repositories } = store
    expect(await store.pendingMigrations()).toEqual([])

    const { answered, askedBack, waiting } = questions
    expect(await store.questionLog.load(answered.id)).toMatchObject({ text: answered.text, database: 'shop' })
    const answer = await repositories.answers.find(answered.id)
    expect(answer).toMatchObject({ sql: expect.stringContaining('orders') })
    expect(await repositories.votes.count(answered.id)).toEqual({ up: 1, down: 1 })
    expect(await repositories.verifiedQueries.list({ database: 'shop', status: 'accepted' })).toMatchObject([
      { ...verified, savedBy: people.ada },
    ])
    expect(await repositories.digests.find(digestId)).toMatchObject({
      owner: people.ada,
      schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
      condition: { kind: 'above', value: 1 },
    })
    const installation = await repositories.installations.find(team)
    expect(JSON.parse(sealer.open(installation!.sealed, team))).toEqual(credentials)

    const jobs = await app.openJobs()
    const taken = Promise.withResolvers<string>()
    await jobs.work('question', async ({ questionId }) => taken.resolve(questionId), { concurrency: 1 })
    expect(await taken.promise).toBe(waiting.id)
    await jobs.stop({ timeoutMs: 1000 })

    // Asked back before the upgrade, replied to after it.
    expect(await app.resume(askedBack.id, { kind: 'option', number: 2 })).toMatchObject({
      outcome: { status: 'answered', sql: expect.stringContaining('shipping_city') },
    })
    const followUp = await app.ask(nextQuestion('only paid ones'), '1772445800.000100')
    expect(followUp.outcome).toMatchObject({ status: 'answered', sql: expect.stringContaining("'paid'") })
    const { outcome, candidates } = await app.ask(nextQuestion(verified.question), '1772445900.000100')
    if (outcome.status !== 'answered') throw new Error(JSON.stringify(outcome))
    expect((await app.loadResult(outcome.resultId))?.rows).toEqual([[2]])
    expect(candidates.map(({ path }) => path)).toContain('verified-example')
  })
})

it('a store of a newer version is refused on the command line, with what to do', async () => {
  await using database = await createTestDatabase({ migrated: true })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    "insert into querent.migrations (name, batch, migration_time) values ('2099-01-01-later', 9, now())",
  )
  await client.end()
  const folder = makeFolder()
  const env = { DATABASE_URL: database.url }
  const shop = makeSqliteFile('create table orders (id integer primary key)')
  onTestFinished(shop.remove)
  const doctor = ['doctor', '--database', `sqlite:${shop.file}`, '--json']
  const checked = await runCli(doctor, { folder, home: folder, env })
  expect(JSON.parse(checked.out).checks).toContainEqual({
    ...{ part: 'store', status: 'broken', finding: expect.stringContaining('2099-01-01-later') },
    todo: expect.stringContaining('Start the newer version'),
  })
  const migrated = await runCli(['migrate'], { folder, home: folder, env })
  expect(migrated.status).toBe(1)
  expect(migrated.err).toMatch(/newer version of Querent: .* the migration 2099-01-01-later; start the newer/)
})
