if (page) dress(page);
