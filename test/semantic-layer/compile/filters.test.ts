import { describe, expect, it } from 'vitest'
import type { MetricFilter } from '../../../src/domain/metrics/metric-query.ts'
import { by, days, is, isNot, metric, ref, shopSql } from './proof/shop-query.ts'

/** What follows WHERE in a count of orders. */
const where = (...filters: readonly MetricFilter[]): string =>
  shopSql({ metrics: [metric('order_count')], filters }).replace(/^[\s\S]*?WHERE /, '')

const compared = (name: string, operator: '<=' | '=' | '<>' | '>', value: string): MetricFilter => ({
  kind: 'compare',
  at: ref(name),
  operator,
  value,
})

describe('conditions on the rows that count', () => {
  it('on many partners ask whether there are any, or none', () => {
    expect(where(is('category.name', 'Tea', 'Cups'), isNot('tag.name', 'sale'))).toMatchInlineSnapshot(`
      "EXISTS (
          SELECT 1
          FROM order_lines
          JOIN products ON products.id = order_lines.product_id
          JOIN categories ON categories.id = products.category_id
          WHERE order_lines.order_id = orders.id AND categories.name IN ('Tea', 'Cups')
        )
        AND NOT EXISTS (
          SELECT 1
          FROM order_lines
          JOIN products ON products.id = order_lines.product_id
          JOIN product_tags ON product_tags.product_id = products.id
          JOIN tags ON tags.id = product_tags.tag_id
          WHERE order_lines.order_id = orders.id AND tags.name = 'sale'
        )"
    `)
  })

  it('take a day as the whole day', () => {
    expect(where(compared('order.placed_at', '<=', '2024-05-03'))).toBe(
      "placed_at < TIMESTAMP '2024-05-04 00:00:00'",
    )
    expect(where(compared('order.placed_at', '>', '2024-05-03'))).toBe(
      "placed_at >= TIMESTAMP '2024-05-04 00:00:00'",
    )
    expect(where(compared('order.due_on', '=', '2024-05-03'))).toBe("due_on = DATE '2024-05-03'")
    expect(where(compared('order.placed_at', '=', '2024-05-03'))).toBe(
      "placed_at >= TIMESTAMP '2024-05-03 00:00:00' AND placed_at < TIMESTAMP '2024-05-04 00:00:00'",
    )
  })

  it('compare a day and a moment by their days', () => {
    expect(
      where({
        kind: 'compare-dimensions',
        left: ref('order.shipped_at'),
        operator: '>',
        right: ref('order.due_on'),
      }),
    ).toBe('CAST(shipped_at AS date) > due_on')
  })

  it('that need not all hold keep rows without the partner that one of them is about', () => {
    expect(
      shopSql({
        metrics: [metric('order_count')],
        filters: [{ kind: 'any', filters: [is('customer.country', 'DE'), is('order.status', 'gift')] }],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT COUNT(*) AS order_count
      FROM orders
      LEFT JOIN customers ON customers.id = orders.customer_id
      WHERE customers.country = 'DE' OR orders.status = 'gift'"
    `)
  })

  it('of a segment reach across tables and days', () => {
    expect(
      shopSql({
        metrics: [metric('revenue')],
        filters: [{ kind: 'segment', segment: 'active', via: null, negated: true }],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT SUM(order_lines.quantity * order_lines.unit_price * (1 - coalesce(order_lines.discount, 0))) AS revenue
      FROM order_lines
      JOIN orders ON orders.id = order_lines.order_id
      JOIN customers ON customers.id = orders.customer_id
      WHERE NOT (EXISTS (
        SELECT 1
        FROM orders AS orders_2
        WHERE orders_2.customer_id = customers.id
          AND orders_2.status <> 'canceled'
          AND orders_2.placed_at >= TIMESTAMP '2024-07-18 00:00:00'
      ))"
    `)
  })

  it('put a condition with OR in brackets', () => {
    expect(
      where({ kind: 'segment', segment: 'special', via: null, negated: false }, is('order.status', 'open')),
    ).toBe("(freight > 40 or status = 'gift') AND status = 'open'")
  })

  it('are about rows that exist, or do not, of another model or their own', () => {
    expect(
      where({
        kind: 'related',
        model: 'order_line',
        negated: true,
        filters: [is('product.is_dear', true)],
      }),
    ).toMatchInlineSnapshot(`
      "NOT EXISTS (
        SELECT 1
        FROM order_lines
        JOIN products ON products.id = order_lines.product_id
        WHERE order_lines.order_id = orders.id
          AND (products.price > 20 or products.cost_cents > 1500) = TRUE
      )"
    `)
    expect(
      shopSql({
        metrics: [metric('employee_count')],
        filters: [{ kind: 'related', model: 'employee', negated: false, filters: [] }],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT COUNT(*) AS employee_count
      FROM employees
      WHERE EXISTS (
        SELECT 1
        FROM employees AS employees_2
        WHERE employees_2.manager_id = employees.id
      )"
    `)
  })

  it('measure a figure for each partner; where none has any, the figure is 0', () => {
    const orders = (
      operator: '<' | '>' | '=',
      value: number,
      period: ReturnType<typeof days> | null = null,
    ) =>
      shopSql({
        metrics: [metric('customer_count')],
        filters: [
          { kind: 'measured', of: 'customer', metric: metric('order_count'), operator, value, period },
        ],
      })
    expect(orders('>', 5)).toMatchInlineSnapshot(`
      "SELECT COUNT(*) AS customer_count
      FROM customers
      WHERE id IN (
        SELECT customer_id
        FROM orders
        GROUP BY customer_id
        HAVING COUNT(*) > 5
      )"
    `)
    expect(orders('<', 3, days('2024-01-01', null))).toMatchInlineSnapshot(`
      "SELECT COUNT(*) AS customer_count
      FROM customers
      WHERE id NOT IN (
        SELECT customer_id
        FROM orders
        WHERE placed_at >= TIMESTAMP '2024-01-01 00:00:00' AND customer_id IS NOT NULL
        GROUP BY customer_id
        HAVING COUNT(*) >= 3
      )"
    `)
    expect(orders('=', 0)).toContain(
      'WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)',
    )
  })
})

describe('lists', () => {
  it('show rows by name, with those that have no partner', () => {
    expect(
      shopSql({
        rowsOf: 'employee',
        show: [ref('employee.last_name', 'manager')],
        order: [{ kind: 'dimension', at: ref('employee.hired_on'), direction: 'desc' }],
        limit: 5,
      }),
    ).toMatchInlineSnapshot(`
      "SELECT employees.first_name, employees.last_name, manager.last_name AS manager_last_name
      FROM employees
      LEFT JOIN employees AS manager ON manager.id = employees.manager_id
      ORDER BY employees.hired_on DESC NULLS LAST
      LIMIT 5"
    `)
  })

  it('of rows that nothing is measured for, where 0 will do', () => {
    expect(
      shopSql({
        rowsOf: 'customer',
        having: [{ metric: metric('order_count'), operator: '=', value: 0 }],
      }),
    ).toMatchInlineSnapshot(`
      "SELECT customers.name AS customer
      FROM customers
      LEFT JOIN (
        SELECT customer_id, COUNT(*) AS order_count
        FROM orders
        GROUP BY customer_id
      ) AS figures ON figures.customer_id = customers.id
      WHERE COALESCE(figures.order_count, 0) = 0"
    `)
  })

  it('of rows by a figure, which have to have one', () => {
    expect(
      shopSql({
        metrics: [metric('revenue')],
        rowsOf: 'customer',
        filters: [is('customer.country', 'DE')],
        order: [{ kind: 'metric', metric: metric('revenue'), direction: 'desc' }],
        limit: 10,
      }),
    ).toMatchInlineSnapshot(`
      "SELECT customers.name AS customer, figures.revenue
      FROM customers
      JOIN (
        SELECT
          orders.customer_id,
          SUM(order_lines.quantity * order_lines.unit_price * (1 - coalesce(order_lines.discount, 0))) AS revenue
        FROM order_lines
        JOIN orders ON orders.id = order_lines.order_id
        GROUP BY orders.customer_id
      ) AS figures ON figures.customer_id = customers.id
      WHERE customers.country = 'DE'
      ORDER BY figures.revenue DESC NULLS LAST
      LIMIT 10"
    `)
  })
})

describe('expressions of the layer', () => {
  it('name columns of other models', () => {
    expect(
      shopSql({ metrics: [metric('list_value')], groupBy: [by('order.status')] }),
    ).toMatchInlineSnapshot(`
      "SELECT orders.status, SUM(order_lines.quantity * products.price) AS list_value
      FROM order_lines
      JOIN orders ON orders.id = order_lines.order_id
      LEFT JOIN products ON products.id = order_lines.product_id
      GROUP BY orders.status
      ORDER BY list_value DESC NULLS LAST"
    `)
  })

  it('that are conditions stand in brackets where they are compared', () => {
    expect(
      shopSql({ metrics: [metric('product_count')], filters: [is('product.is_dear', false)] }),
    ).toContain('WHERE (price > 20 or cost_cents > 1500) = FALSE')
  })
})
