import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import type { Connector } from '../../src/domain/database.ts'
import { runOn } from '../helpers/run-on.ts'
import { testCancellation } from './connector/cancellation.ts'
import { testClosing } from './connector/closing.ts'
import { testConcurrency } from './connector/concurrency.ts'
import type { ConnectorSubject, OpenedConnector } from './connector/connector-subject.ts'
import { testIntrospection } from './connector/introspection.ts'
import { testMeasuring } from './connector/measuring.ts'
import { testRejections } from './connector/rejections.ts'
import { testResults } from './connector/results.ts'

/** Every implementation of `Connector` passes this (core/connector.ts). */
export const testConnector = (subject: ConnectorSubject): void => {
  describe(`${subject.name} as a connector`, () => {
    let connector: Connector
    beforeAll(async () => {
      connector = await subject.open()
    })
    afterAll(async () => {
      await connector.close()
      await subject.cleanUp()
    })

    const atWork: OpenedConnector = {
      subject,
      connector: () => connector,
      run: (sql, options) => runOn(connector, sql, options),
      nothingRuns: () =>
        vi.waitFor(async () => expect(await subject.runningStatements()).toBe(0), { timeout: 20_000 }),
    }
    testResults(atWork)
    testCancellation(atWork)
    testRejections(atWork)
    testIntrospection(atWork)
    testMeasuring(atWork)
    testConcurrency(atWork)
    testClosing(atWork)
  })
}
