import { Client } from '@xdevplatform/xdk';

const client = new Client({ bearerToken: process.env.PIPIT_BEARER_TOKEN });
const { data } = await client.users.getByUsername('maya');
console.log(data.username);
