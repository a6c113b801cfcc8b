import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import pLimit from 'p-limit'
import {
  isFailure,
  judgeLine,
  type Outcome,
  readFigure,
  readJson,
  rounded,
  type Scoreboard,
  type ScoreLine,
  scoreboardSchema,
  type Verdict,
} from './scoreboard/score-line.ts'

/**
 * `npm run scoreboard [-- --cheap] [-- --only NAME] [-- --update]`: one figure for each promise, beside the one kept in
 * bench/scoreboard.json. It runs commands and reads the JSON that they print, so it survives a rebuilding of what is
 * behind them. docs/benchmarks.md says how to read it.
 */
const { values: options } = parseArgs({
  options: {
    cheap: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    update: { type: 'boolean', default: false },
  },
})

const root = join(import.meta.dirname, '..')
const file = join(import.meta.dirname, 'scoreboard.json')

/**
 * Kept from run to run for the built-in Postgres, which takes seconds to make; indexes are built again each time. CI's
 * checkouts are thrown away, so they share one and leave no servers behind.
 */
const home = process.env.CI ? join(tmpdir(), 'querent-scoreboard') : join(root, '.querent/scoreboard')

interface Measured {
  readonly line: ScoreLine
  readonly outcome: Outcome
  readonly verdict: Verdict
}

const main = async (): Promise<number> => {
  const scoreboard = scoreboardSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const lines = scoreboard.lines.filter(line => isWanted(line))
  if (lines.length === 0) throw new Error(`no line is called ${options.only.join(' or ')}`)
  rmSync(join(home, 'cache'), { recursive: true, force: true })
  const temp = mkdtempSync(join(tmpdir(), 'querent-scoreboard-'))
  try {
    // What is quick to measure counts things, so two at a time disturb nothing; among the rest, some take the time.
    const inTurn = pLimit(options.cheap ? 2 : 1)
    // What gives most figures takes longest, so it begins.
    const commands = [...Map.groupBy(lines, line => line.command)].toSorted(
      ([, a], [, b]) => b.length - a.length,
    )
    const measured = (
      await Promise.all(commands.map(([command, of]) => inTurn(() => measure(command, of, temp))))
    ).flat()
    print(measured)
    if (options.update) keep(scoreboard, measured)
    const bad = measured.filter(({ verdict }) => isFailure(verdict))
    // What --update writes is the new state: only what could not be measured is still a failure.
    return bad.some(({ verdict }) => verdict === 'failed' || !options.update) ? 1 : 0
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

const isWanted = ({ name, cheap }: ScoreLine): boolean =>
  (!options.cheap || cheap) &&
  (options.only.length === 0 || options.only.some(only => name === only || name.startsWith(`${only}/`)))

/** Runs one command and reads all figures that come from it. */
const measure = async (
  command: string,
  lines: readonly ScoreLine[],
  temp: string,
): Promise<readonly Measured[]> => {
  const settle = (line: ScoreLine, outcome: Outcome): Measured => ({
    line,
    outcome,
    verdict: judgeLine(line, outcome),
  })
  const missing = (command.match(/\.\.\/shared\/[^\s"'#:]+/g) ?? []).find(
    path => !existsSync(resolve(root, path)),
  )
  if (missing !== undefined) return lines.map(line => settle(line, { skipped: `${missing} is not here` }))
  const unset = [...command.matchAll(/\$([A-Z][A-Z_]+)/g)].find(([, name]) => !process.env[name ?? ''])?.[1]
  if (unset !== undefined) return lines.map(line => settle(line, { skipped: `${unset} is not set` }))
  const started = performance.now()
  const names = lines.map(({ name }) => name).join(', ')
  let json: unknown
  try {
    json = readJson(await run(command.replaceAll('{temp}', temp)))
  } catch (error) {
    process.stderr.write(`${names}: failed\n`)
    return lines.map(line => settle(line, { failed: messageOf(error) }))
  }
  process.stderr.write(`${names}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
  return lines.map(line => {
    try {
      return settle(line, { figure: rounded(readFigure(json, line.read)) })
    } catch (error) {
      return settle(line, { failed: messageOf(error) })
    }
  })
}

/** Runs a command in the project's folder, away from the settings and data of the person who runs it. */
const run = (command: string): Promise<string> =>
  new Promise((done, fail) => {
    const { INIT_CWD: _, DATABASE_URL: __, REDIS_URL: ___, ...inherited } = process.env
    const env = {
      ...inherited,
      PATH: `${dirname(process.execPath)}:${inherited.PATH ?? ''}`,
      QUERENT_HOME: home,
      TZ: 'UTC',
      NO_COLOR: '1',
    }
    const child = spawn(command, { shell: true, cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', chunk => {
      out += String(chunk)
    })
    child.stderr.on('data', chunk => {
      err = `${err}${String(chunk)}`.slice(-2000)
    })
    child.once('error', fail)
    child.once('close', code =>
      code === 0 ? done(out) : fail(new Error(`ended with ${code}: ${err.trim().split('\n').at(-1) ?? ''}`)),
    )
  })

const print = (measured: readonly Measured[]): void => {
  const table = new Table({
    head: ['name', 'kept', 'now', 'unit', 'better', 'tolerance', ''],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  })
  for (const { line, outcome, verdict } of measured) {
    if ('skipped' in outcome) continue
    const { name, figure, unit, better, tolerance } = line
    const now = 'figure' in outcome ? outcome.figure : '-'
    const note = 'failed' in outcome ? `failed: ${outcome.failed}` : verdict
    table.push([name, figure ?? '-', now, unit, better, tolerance, note])
  }
  if (table.length > 0) console.log(table.toString())
  for (const { line, outcome } of measured) {
    if ('skipped' in outcome) console.log(`skipped ${line.name}: ${outcome.skipped}`)
  }
  const bad = measured.filter(({ verdict }) => isFailure(verdict))
  console.log(
    bad.length === 0
      ? `Scoreboard: ${measured.length} lines, none fell.`
      : `Scoreboard: ${bad.length} of ${measured.length} lines fell or failed: ${bad.map(({ line }) => line.name).join(', ')}`,
  )
}

/** Writes the new figures over the kept ones; what was not measured stays. */
const keep = (scoreboard: Scoreboard, measured: readonly Measured[]): void => {
  const lines = scoreboard.lines.map(line => {
    const found = measured.find(one => one.line === line)
    return found !== undefined && 'figure' in found.outcome ? { ...line, figure: found.outcome.figure } : line
  })
  const machine = `${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`
  const measuredAt = { day: new Date().toISOString().slice(0, 10), machine }
  writeFileSync(file, `${JSON.stringify({ measured: measuredAt, lines }, null, 2)}\n`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

process.exitCode = await main()
