/** Questions about the sample company with SQL that answers them, written by hand for the shipped benchmark. */
export const knownQuestions: readonly (readonly [question: string, sql: string])[] = [
  ['How many stores are there in each region?', 'select region, count(*) from stores group by region'],
  ['Which stores are in the North?', "select name from stores where region = 'North'"],
  ['What is the largest floor area of a store?', 'select max(floor_area_m2) from stores'],
  [
    'Which store has the largest floor area?',
    'select name from stores where floor_area_m2 is not null order by floor_area_m2 desc limit 1',
  ],
  ['How many stores have no floor area?', 'select count(*) from stores where floor_area_m2 is null'],
  ['How many outlets are there?', "select count(*) from stores where format = 'outlet'"],
  ['List the cities with more than one store', 'select city from stores group by city having count(*) > 1'],
  [
    'How many employees are Store Managers?',
    "select count(*) from employees where job_title = 'Store Manager'",
  ],
  [
    'What is the average salary by job title?',
    'select job_title, avg(salary) from employees group by job_title',
  ],
  ['Who earns the most?', 'select first_name, last_name from employees order by salary desc limit 1'],
  ['How many employees have left?', 'select count(*) from employees where left_on is not null'],
  [
    'Which employees have no manager?',
    'select first_name, last_name from employees where manager_id is null',
  ],
  [
    'How many people work in each store?',
    'select s.name, count(*) from employees e join stores s on s.id = e.store_id group by s.id, s.name',
  ],
  ['How many customers want the newsletter?', 'select count(*) from customers where newsletter'],
  ['How many customers are in each segment?', 'select segment, count(*) from customers group by segment'],
  ['How many customers have no phone?', 'select count(*) from customers where phone is null'],
  [
    'How many business customers signed up in 2025?',
    "select count(*) from customers where segment = 'business' and signed_up_on >= '2025-01-01' and signed_up_on < '2026-01-01'",
  ],
  ['What is the earliest birth year of a customer?', 'select min(birth_year) from customers'],
  [
    'How many customers never ordered anything?',
    'select count(*) from customers c where not exists (select from orders o where o.customer_id = c.id)',
  ],
  ['How many orders were placed by channel?', 'select channel, count(*) from orders group by channel'],
  ['How many orders were cancelled?', "select count(*) from orders where status = 'cancelled'"],
  [
    'How many web orders were delivered?',
    "select count(*) from orders where channel = 'web' and status = 'delivered'",
  ],
  [
    'How many orders were shipped to Germany?',
    "select count(*) from orders where shipping_country = 'Germany'",
  ],
  [
    'Which shipping countries have more than 100 orders?',
    'select shipping_country from orders group by shipping_country having count(*) > 100',
  ],
  ['What are the statuses of orders?', 'select distinct status from orders'],
  [
    'How many orders has each store?',
    'select s.name, count(*) from orders o join stores s on s.id = o.store_id group by s.id, s.name',
  ],
  [
    'Which store has the most orders?',
    'select s.name from orders o join stores s on s.id = o.store_id group by s.id, s.name order by count(*) desc limit 1',
  ],
  ['What is the average quantity of an order line?', 'select avg(quantity) from order_lines'],
  [
    'How many units of each product were sold?',
    'select p.name, sum(l.quantity) from order_lines l join products p on p.id = l.product_id group by p.id, p.name',
  ],
  ['What is the most expensive product?', 'select name from products order by price_cents desc limit 1'],
  [
    'How many products have been discontinued?',
    'select count(*) from products where discontinued_on is not null',
  ],
  [
    'How many products has each category?',
    'select c.name, count(*) from products p join categories c on c.id = p.category_id group by c.id, c.name',
  ],
  ['How many products have no weight?', 'select count(*) from products where weight_grams is null'],
  [
    'What is the average price of a product by brand?',
    'select brand, avg(price_cents) from products group by brand',
  ],
  ['Which suppliers are active?', 'select name from suppliers where is_active'],
  ['How many suppliers are not active?', 'select count(*) from suppliers where not is_active'],
  ['What is the longest lead time of a supplier?', 'select max(lead_time_days) from suppliers'],
  [
    'Which supplier has the longest lead time?',
    'select name from suppliers where lead_time_days is not null order by lead_time_days desc limit 1',
  ],
  ['How many payments failed?', "select count(*) from payments where status = 'failed'"],
  ['How many payments were made by method?', 'select method, count(*) from payments group by method'],
  ['How many refunds are there?', "select count(*) from payments where kind = 'refund'"],
  ['How many units were returned by reason?', 'select reason, sum(units) from returns group by reason'],
  ['How many returns have no reason?', 'select count(*) from returns where reason is null'],
  ['What is the average rating?', 'select avg(rating) from reviews'],
  [
    'What is the average rating of each product?',
    'select p.name, avg(r.rating) from reviews r join products p on p.id = r.product_id group by p.id, p.name',
  ],
  ['How many reviews have 5 stars?', 'select count(*) from reviews where rating = 5'],
  ['How many reviews have no title?', 'select count(*) from reviews where title is null'],
  ['How many support tickets are open?', "select count(*) from support_tickets where status = 'open'"],
  [
    'How many support tickets are there by priority?',
    'select priority, count(*) from support_tickets group by priority',
  ],
  ['How many tickets have no agent?', 'select count(*) from support_tickets where agent_id is null'],
  [
    'What is the average satisfaction with closed tickets?',
    "select avg(satisfaction) from support_tickets where status = 'closed'",
  ],
  [
    'How much did we spend on marketing by campaign?',
    'select campaign, sum(amount_eur) from marketing_spend group by campaign',
  ],
  ['How many clicks did we get in total?', 'select sum(clicks) from marketing_spend'],
  [
    'Which campaign had the most clicks?',
    'select campaign from marketing_spend where campaign is not null group by campaign order by sum(clicks) desc limit 1',
  ],
  ['How many currencies have exchange rates?', 'select count(distinct currency) from exchange_rates'],
  [
    'How many products are out of stock?',
    'select count(distinct product_id) from inventory where on_hand <= 0',
  ],
  [
    'How many units are on hand in each store?',
    'select s.name, sum(i.on_hand) from inventory i join stores s on s.id = i.store_id group by s.id, s.name',
  ],
  ['How many categories are at level 3?', 'select count(*) from categories where depth = 3'],
  ['Which categories have no parent?', 'select name from categories where parent_id is null'],
  [
    'In which cities do we have stores that opened before 2015?',
    "select distinct city from stores where opened_on < '2015-01-01'",
  ],
]
