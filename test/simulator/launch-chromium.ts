import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's package `chromium`; another one by its path in CHROMIUM_PATH. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/**
 * Whether there is a browser to test the page in. Where there is none, one line says so and the suite skips itself;
 * with `QUERENT_REQUIRE_SERVICES=1` that is a failure.
 */
export const hasChromium = (suite: string): boolean => {
  if (existsSync(executablePath)) return true
  if (process.env.QUERENT_REQUIRE_SERVICES === '1') {
    throw new Error(`${suite} needs ${executablePath}, and QUERENT_REQUIRE_SERVICES=1 allows no skipping`)
  }
  console.info(`skipped: ${suite}; to run it, install Chromium, or set CHROMIUM_PATH`)
  return false
}

/** A browser without a window that keeps to itself. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
