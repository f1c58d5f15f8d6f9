import { Pool } from 'undici';

const pool = new Pool('https://api.x.com');
const { body } = await pool.request({
  method: 'GET',
  path: '/2/users/by/username/maya',
  headers: { authorization: `Bearer ${process.env.PIPIT_BEARER_TOKEN}` },
});
const { data } = await body.json();
console.log(data.username);
await pool.close();
