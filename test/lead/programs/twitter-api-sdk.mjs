import { Client } from 'twitter-api-sdk';

const client = new Client(process.env.PIPIT_BEARER_TOKEN);
const { data } = await client.users.findUserByUsername('maya');
console.log(data.username);
